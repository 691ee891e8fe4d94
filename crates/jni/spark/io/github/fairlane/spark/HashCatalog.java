package io.github.fairlane.spark;

import io.github.fairlane.Fairlane;
import java.util.Locale;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The hashes as functions of Spark: {@code spark.sql.catalog.fairlane=io.github.fairlane.spark.HashCatalog} brings
 * {@code fairlane.keccak256(column)}. In names there are underscores for hyphens: {@code fairlane.sha3_256}.
 */
public final class HashCatalog implements FunctionCatalog {
    private String name;

    @Override
    public void initialize(String name, CaseInsensitiveStringMap options) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Identifier[] listFunctions(String[] namespace) {
        return Fairlane.hashNames().stream()
                .map(hash -> Identifier.of(new String[0], hash.replace('-', '_')))
                .toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
        String wanted = identifier.name().toLowerCase(Locale.ROOT);
        for (String hash : Fairlane.hashNames()) {
            if (identifier.namespace().length == 0 && hash.replace('-', '_').equals(wanted)) {
                return new Unbound(hash);
            }
        }
        throw new NoSuchFunctionException(identifier);
    }

    /** A hash before its column is known. */
    private record Unbound(String name) implements UnboundFunction {
        @Override
        public BoundFunction bind(StructType columns) {
            DataType type = columns.length() == 1 ? columns.fields()[0].dataType() : null;
            if (type == null || !type.sameType(DataTypes.BinaryType) && !type.sameType(DataTypes.NullType)) {
                throw new UnsupportedOperationException(name + " takes one column of binary data");
            }
            return new Hash(name);
        }

        @Override
        public String description() {
            return "the hash " + name;
        }
    }
}
