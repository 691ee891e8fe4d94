package io.github.fairlane.spark;

import io.github.fairlane.HashAlgorithm;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The node of a plan that adds columns of hashes to each batch. */
public final class HashBatches extends SparkPlan {
    private static final long serialVersionUID = 1;

    private final Seq<Alias> hashes;
    private final SparkPlan child;

    /** Each of the hashes is of a column of the child. Spark copies nodes through this. */
    public HashBatches(Seq<Alias> hashes, SparkPlan child) {
        this.hashes = hashes;
        this.child = child;
    }

    @Override
    public Seq<Attribute> output() {
        List<Attribute> output = new ArrayList<>(CollectionConverters.asJava(child.output()));
        CollectionConverters.asJava(hashes).forEach(hash -> output.add(hash.toAttribute()));
        return HashExtension.seq(output);
    }

    @Override
    public boolean supportsColumnar() {
        return true;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        throw new UnsupportedOperationException("fairlane hashes batches here, not rows");
    }

    @Override
    public RDD<ColumnarBatch> doExecuteColumnar() {
        List<Attribute> columns = CollectionConverters.asJava(child.output());
        List<Column> list = new ArrayList<>();
        for (Alias hash : CollectionConverters.asJava(hashes)) {
            Attribute message = (Attribute) ((Invoke) hash.child()).arguments().head();
            int number = 0;
            while (!columns.get(number).exprId().equals(message.exprId())) {
                number++;
            }
            list.add(new Column(HashExtension.hashOf(hash.child()).name(), number));
        }
        FlatMapFunction<Iterator<ColumnarBatch>, ColumnarBatch> add = new AddHashes(list.toArray(new Column[0]));
        return child.executeColumnar().toJavaRDD().mapPartitions(add).rdd();
    }

    @Override
    public Partitioning outputPartitioning() {
        return child.outputPartitioning();
    }

    @Override
    public Seq<SortOrder> outputOrdering() {
        return child.outputOrdering();
    }

    @Override
    public Seq<SparkPlan> children() {
        return HashExtension.seq(List.of(child));
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
        return new HashBatches(hashes, children.head());
    }

    @Override
    public int productArity() {
        return 2;
    }

    @Override
    public Object productElement(int number) {
        return number == 0 ? hashes : child;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof HashBatches;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HashBatches node && node.hashes.equals(hashes) && node.child.equals(child);
    }

    @Override
    public int hashCode() {
        return 31 * hashes.hashCode() + child.hashCode();
    }

    /** A hash, and the number of the column that it is of. */
    private record Column(String algorithm, int number) implements java.io.Serializable {}

    private record AddHashes(Column[] columns) implements FlatMapFunction<Iterator<ColumnarBatch>, ColumnarBatch> {
        @Override
        public Iterator<ColumnarBatch> call(Iterator<ColumnarBatch> batches) {
            Digests[] digests = new Digests[columns.length];
            for (int i = 0; i < digests.length; i++) {
                digests[i] = new Digests(HashAlgorithm.of(columns[i].algorithm));
            }
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return batches.hasNext();
                }

                @Override
                public ColumnarBatch next() {
                    ColumnarBatch batch = batches.next();
                    ColumnVector[] all = new ColumnVector[batch.numCols() + digests.length];
                    for (int i = 0; i < batch.numCols(); i++) {
                        all[i] = batch.column(i);
                    }
                    for (int i = 0; i < digests.length; i++) {
                        digests[i].hash(batch.column(columns[i].number), batch.numRows());
                        all[batch.numCols() + i] = digests[i];
                    }
                    return new ColumnarBatch(all, batch.numRows());
                }
            };
        }
    }
}
