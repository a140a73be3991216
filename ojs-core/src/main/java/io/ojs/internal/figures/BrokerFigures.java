package io.ojs.internal.figures;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the broker has, and this process's connections to it.
 */
public interface BrokerFigures {

	/**
	 * Asks the broker. Takes some seconds if it does not answer.
	 * @param queues queues to include even if this process has not used them
	 */
	Answer ask(Collection<String> queues);

	/**
	 * The answer of the broker.
	 *
	 * @param problem why it did not answer all questions; {@code null} if it did
	 * @param downSince since when this process has no connection; {@code null} if it has
	 * one, or never had one
	 * @param blocked why the broker takes no messages; {@code null} if it does
	 * @param queues the queues that this process knows
	 * @param drift what the broker has with other arguments than this process wants
	 */
	record Answer(@Nullable String problem, @Nullable Instant downSince, @Nullable String blocked,
			Map<String, Depth> queues, List<Drift> drift) {

		/**
		 * Whether the broker answered.
		 * @return whether the numbers are known
		 */
		public boolean isReachable() {
			return this.problem == null;
		}

	}

	/**
	 * The messages of a queue.
	 *
	 * @param ready messages that wait for a worker
	 * @param unacked messages that workers have received and not settled; {@code null} if
	 * the broker does not tell
	 * @param consumers consumers of all processes
	 * @param exists whether the broker has the queue
	 * @param retries messages in its retry queues that this process has used
	 * @param deadLetters messages in its dead letter queue
	 */
	record Depth(long ready, @Nullable Long unacked, long consumers, boolean exists, long retries, long deadLetters) {
	}

	/**
	 * A queue or exchange with another argument than this process wants.
	 *
	 * @param queue the OJS queue that it belongs to; {@code null} if it belongs to none
	 * @param name its name on the broker
	 */
	record Drift(@Nullable String queue, String name, String argument, @Nullable String wanted,
			@Nullable String present) {
	}

}
