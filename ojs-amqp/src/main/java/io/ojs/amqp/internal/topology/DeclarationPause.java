package io.ojs.amqp.internal.topology;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The pause between the discovery that a queue or exchange is missing and its
 * declaration. RabbitMQ 3.10 moves the consumers of a deleted quorum queue to a queue
 * that is declared under the same name at once. It does not cancel these consumers and
 * sends them nothing, and they keep their unacked messages. Within the pause, consumers
 * learn of the deletion.
 */
final class DeclarationPause {

	static final Duration LENGTH = Duration.ofSeconds(1);

	private volatile long began = System.nanoTime() - LENGTH.toNanos();

	void begin() {
		this.began = System.nanoTime();
	}

	/** Waits until the pause is over or the thread is interrupted. */
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
