package io.github.fairlane.spark;

import io.github.fairlane.Batch;
import io.github.fairlane.HashAlgorithm;
import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of hashes. Like those of Spark's readers, it is filled anew for each batch. */
final class Digests extends ColumnVector {
    /** Bytes that may be copied for each byte of a message, before messages are copied one by one. */
    private static final int SPARSE = 2;

    /** Bytes that are hashed at a time, at most: the garbage collector may have to wait meanwhile. */
    private static final int MOST = 1 << 22;

    /** Longer messages are hashed by themselves, in pieces. */
    private static final int LONG = 1 << 20;

    private static final byte[] NONE = new byte[0];

    private final HashAlgorithm algorithm;
    private final int size;
    private final Batch batch;
    private int[] positions = new int[0];
    private int[] lengths = new int[0];
    private byte[] digests = new byte[0];
    private ColumnVector column;

    Digests(HashAlgorithm algorithm) {
        super(DataTypes.BinaryType);
        this.algorithm = algorithm;
        this.size = algorithm.size();
        this.batch = new Batch(algorithm, size);
    }

    /** Hashes the rows of a column; those that are null as empty messages, which nobody sees. */
    void hash(ColumnVector column, int rows) {
        this.column = column;
        if (positions.length < rows) {
            positions = new int[rows];
            lengths = new int[rows];
            digests = new byte[Math.multiplyExact(rows, size)];
        }
        byte[] data = whole(column, rows);
        if (data != null) {
            algorithm.hashPacked(data, positions, lengths, rows, digests, size);
        } else {
            hashInPieces(column, rows);
        }
    }

    /** All messages in one array, if the column has them near each other, and they are not too long; otherwise null. */
    private byte[] whole(ColumnVector column, int rows) {
        if (!(column instanceof WritableColumnVector vector) || vector.hasDictionary()) {
            return null;
        }
        int first = Integer.MAX_VALUE;
        int end = 0;
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            boolean none = vector.isNullAt(i);
            positions[i] = none ? 0 : vector.getArrayOffset(i);
            lengths[i] = none ? 0 : vector.getArrayLength(i);
            if (lengths[i] > 0) {
                first = Math.min(first, positions[i]);
                end = Math.max(end, positions[i] + lengths[i]);
                sum += lengths[i];
            }
        }
        if (sum == 0) {
            Arrays.fill(positions, 0, rows, 0);
            return NONE;
        }
        if (end - first > Math.min(MOST, SPARSE * sum)) {
            return null;
        }
        for (int i = 0; i < rows; i++) {
            positions[i] = lengths[i] == 0 ? 0 : positions[i] - first;
        }
        return vector.arrayData().getBytes(first, end - first);
    }

    private void hashInPieces(ColumnVector column, int rows) {
        int first = 0;
        for (int i = 0; i < rows; i++) {
            byte[] message = column.isNullAt(i) ? NONE : column.getBinary(i);
            if (message.length > LONG) {
                first = take(first);
                System.arraycopy(algorithm.hash(message), 0, digests, first++ * size, size);
                continue;
            }
            if (!batch.hasRoom(message.length)) {
                first = take(first);
            }
            batch.add(message, 0, message.length);
        }
        take(first);
    }

    /** Hashes the messages collected, and returns the row after them. */
    private int take(int first) {
        System.arraycopy(batch.hash(), 0, digests, first * size, batch.count() * size);
        int next = first + batch.count();
        batch.clear();
        return next;
    }

    @Override
    public void close() {}

    @Override
    public boolean hasNull() {
        return column.hasNull();
    }

    @Override
    public int numNulls() {
        return column.numNulls();
    }

    @Override
    public boolean isNullAt(int row) {
        return column.isNullAt(row);
    }

    @Override
    public byte[] getBinary(int row) {
        return isNullAt(row) ? null : Arrays.copyOfRange(digests, row * size, (row + 1) * size);
    }

    @Override
    public boolean getBoolean(int row) {
        throw binary();
    }

    @Override
    public byte getByte(int row) {
        throw binary();
    }

    @Override
    public short getShort(int row) {
        throw binary();
    }

    @Override
    public int getInt(int row) {
        throw binary();
    }

    @Override
    public long getLong(int row) {
        throw binary();
    }

    @Override
    public float getFloat(int row) {
        throw binary();
    }

    @Override
    public double getDouble(int row) {
        throw binary();
    }

    @Override
    public ColumnarArray getArray(int row) {
        throw binary();
    }

    @Override
    public ColumnarMap getMap(int row) {
        throw binary();
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        throw binary();
    }

    @Override
    public UTF8String getUTF8String(int row) {
        throw binary();
    }

    @Override
    public ColumnVector getChild(int number) {
        throw binary();
    }

    private static UnsupportedOperationException binary() {
        return new UnsupportedOperationException("a column of hashes has binary data only");
    }
}
