package io.ojs.test.internal.fault;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A gate for bytes, which is open or shut for each direction.
 */
final class Gate {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private boolean shutToBroker;

	private boolean shutFromBroker;

	void shut(Direction direction) {
		this.lock.lock();
		try {
			this.shutToBroker |= direction.includes(Direction.TO_BROKER);
			this.shutFromBroker |= direction.includes(Direction.FROM_BROKER);
		}
		finally {
			this.lock.unlock();
		}
	}

	void open() {
		this.lock.lock();
		try {
			this.shutToBroker = false;
			this.shutFromBroker = false;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Makes waiting threads check whether they still have to wait. */
	void wake() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until the gate is open or the connection is given up.
	 */
	void pass(Direction direction, BooleanSupplier given) {
		this.lock.lock();
		try {
			while (isShut(direction) && !given.getAsBoolean()) {
				this.changed.awaitUninterruptibly();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isShut(Direction direction) {
		return (direction == Direction.TO_BROKER) ? this.shutToBroker : this.shutFromBroker;
	}

}
