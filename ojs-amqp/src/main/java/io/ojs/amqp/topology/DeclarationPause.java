package io.ojs.amqp.topology;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Time between the discovery that something is gone and its declaration. RabbitMQ 3.10
 * hands the consumers of a quorum queue that was deleted to a queue that is declared
 * again under its name at once: they are not cancelled, get nothing, and hold back what
 * they were sent. Consumers hear of the deletion within this time.
 */
final class DeclarationPause {

	static final Duration LENGTH = Duration.ofSeconds(1);

	private volatile long began = System.nanoTime() - LENGTH.toNanos();

	void begin() {
		this.began = System.nanoTime();
	}

	/** Waits until it is over, or the thread is interrupted. */
	void await() {
		try {
			long left = LENGTH.toNanos() - (System.nanoTime() - this.began);
			while (left > 0) {
				TimeUnit.NANOSECONDS.sleep(left);
				left = LENGTH.toNanos() - (System.nanoTime() - this.began);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
