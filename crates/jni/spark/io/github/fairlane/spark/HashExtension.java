package io.github.fairlane.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Hashes the rows of a batch together, where Spark reads a column in batches, as from Parquet:
 * {@code spark.sql.extensions=io.github.fairlane.spark.HashExtension}, beside the catalog of functions. The results are
 * the same as without it.
 */
public final class HashExtension extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        extensions.injectColumnar(new Function<>(session -> new Columnar()));
        return BoxedUnit.UNIT;
    }

    private static final class Columnar extends ColumnarRule {
        @Override
        public Rule<SparkPlan> preColumnarTransitions() {
            return new TakeHashes();
        }
    }

    /** Takes the hashes of whole columns out of a projection, and puts {@link HashBatches} under it. */
    private static final class TakeHashes extends Rule<SparkPlan> {
        @Override
        public SparkPlan apply(SparkPlan plan) {
            return plan.transformUp(new Case<SparkPlan>(node -> {
                if (!(node instanceof ProjectExec project) || !project.child().supportsColumnar()) {
                    return node;
                }
                List<Alias> hashes = new ArrayList<>();
                List<NamedExpression> expressions = new ArrayList<>();
                for (NamedExpression expression : CollectionConverters.asJava(project.projectList())) {
                    expressions.add((NamedExpression) ((Expression) expression)
                            .transformUp(new Case<Expression>(inner -> take(inner, hashes))));
                }
                return hashes.isEmpty()
                        ? node
                        : new ProjectExec(seq(expressions), new HashBatches(seq(hashes), project.child()));
            }));
        }

        private static Expression take(Expression expression, List<Alias> hashes) {
            if (hashOf(expression) == null) {
                return expression;
            }
            for (Alias known : hashes) {
                if (known.child().semanticEquals(expression)) {
                    return known.toAttribute();
                }
            }
            Alias hash = new Alias(
                    expression,
                    hashOf(expression).name(),
                    NamedExpression.newExprId(),
                    seq(List.of()),
                    scala.Option.empty(),
                    seq(List.of()));
            hashes.add(hash);
            return hash.toAttribute();
        }
    }

    /** The hash that an expression computes of a column; null if it is another expression. */
    static Hash hashOf(Expression expression) {
        if (expression instanceof Invoke call
                && call.targetObject() instanceof Literal function
                && function.value() instanceof Hash hash
                && call.arguments().size() == 1
                && call.arguments().head() instanceof Attribute column
                && column.dataType().sameType(DataTypes.BinaryType)) {
            return hash;
        }
        return null;
    }

    static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }

    /** A function of Java as one of Scala. */
    private static final class Function<A, B> extends AbstractFunction1<A, B> {
        private final java.util.function.Function<A, B> function;

        Function(java.util.function.Function<A, B> function) {
            this.function = function;
        }

        @Override
        public B apply(A argument) {
            return function.apply(argument);
        }
    }

    /** A change of a tree's nodes, as Scala has it. */
    private static final class Case<T> extends AbstractPartialFunction<T, T> {
        private final java.util.function.Function<T, T> function;

        Case(java.util.function.Function<T, T> function) {
            this.function = function;
        }

        @Override
        public boolean isDefinedAt(T node) {
            return true;
        }

        @Override
        public <A extends T, B> B applyOrElse(A node, Function1<A, B> otherwise) {
            @SuppressWarnings("unchecked")
            B changed = (B) function.apply(node);
            return changed;
        }
    }
}
