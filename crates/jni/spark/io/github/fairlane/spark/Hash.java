package io.github.fairlane.spark;

import io.github.fairlane.HashAlgorithm;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The hash of a column of binary data, as binary data; the hash of null is null. Generated code calls it. */
public final class Hash implements ScalarFunction<byte[]> {
    private static final long serialVersionUID = 1;

    private final String algorithm;
    private transient HashAlgorithm hash;

    Hash(String algorithm) {
        this.algorithm = algorithm;
    }

    /** The hash of one row. */
    public byte[] invoke(byte[] message) {
        if (hash == null) {
            hash = HashAlgorithm.of(algorithm);
        }
        return message == null ? null : hash.hash(message);
    }

    @Override
    public DataType[] inputTypes() {
        return new DataType[] {DataTypes.BinaryType};
    }

    @Override
    public DataType resultType() {
        return DataTypes.BinaryType;
    }

    @Override
    public String name() {
        return algorithm;
    }

    @Override
    public String canonicalName() {
        return "fairlane." + algorithm;
    }

    /** Spark compares the expressions of a query by this, as those of SELECT with those of GROUP BY. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Hash hash && hash.algorithm.equals(algorithm);
    }

    @Override
    public int hashCode() {
        return algorithm.hashCode();
    }

    /** As plans show it. */
    @Override
    public String toString() {
        return canonicalName();
    }
}
