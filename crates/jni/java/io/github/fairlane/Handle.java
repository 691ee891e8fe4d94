package io.github.fairlane;

import java.lang.ref.Cleaner;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongConsumer;

/** The pointer to an object of the native library, which is freed when its owner is closed or collected as garbage. */
final class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Whoever uses the pointer holds it; to free the object takes the write lock. */
    final ReadWriteLock lock;

    private final State state;
    private final String closed;
    private final Cleaner.Cleanable cleanable;

    /** What outlives the owner. */
    private static final class State implements Runnable {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private final LongConsumer free;
        private long pointer;

        State(long pointer, LongConsumer free) {
            this.pointer = pointer;
            this.free = free;
        }

        @Override
        public void run() {
            lock.writeLock().lock();
            try {
                long old = pointer;
                pointer = 0;
                free.accept(old);
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    Handle(Object owner, long pointer, LongConsumer free, String closed) {
        state = new State(pointer, free);
        lock = state.lock;
        this.closed = closed;
        cleanable = CLEANER.register(owner, state);
    }

    /**
     * The pointer, for a caller that holds the lock.
     *
     * @throws IllegalStateException if it is closed
     */
    long pointer() {
        if (state.pointer == 0) {
            throw new IllegalStateException(closed);
        }
        return state.pointer;
    }

    @Override
    public void close() {
        cleanable.clean();
    }
}
