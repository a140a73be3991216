package io.ojs.test.broker;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The broker of this JVM. It is static because a broker takes seconds to start: all test
 * classes and contexts of a JVM share one.
 */
final class SharedBroker {

	private static final ReentrantLock lock = new ReentrantLock();

	private static @Nullable RabbitBroker broker;

	private static @Nullable BrokerUnavailableException failure;

	private SharedBroker() {
	}

	static RabbitBroker get() {
		lock.lock();
		try {
			if (failure != null) {
				// Fails further test classes at once, without a search for each of them.
				throw new BrokerUnavailableException(failure.getMessage(), failure);
			}
			if (broker == null) {
				broker = Discovery.brokers(BrokerSettings.system()).first();
			}
			return broker;
		}
		catch (BrokerUnavailableException ex) {
			failure = (failure != null) ? failure : ex;
			throw ex;
		}
		finally {
			lock.unlock();
		}
	}

}
