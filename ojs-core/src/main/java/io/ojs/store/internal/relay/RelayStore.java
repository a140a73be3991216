package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.ojs.store.StoredJob;

/**
 * Knows the jobs that the broker does not have.
 */
public interface RelayStore {

	/**
	 * Takes jobs to publish them: available ones that have not been published, and
	 * scheduled and retryable ones that are due, which become available. Calls at the
	 * same time get different jobs. Jobs that have expired or cannot be read become dead
	 * letters instead. Jobs of ordered queues are left to {@link #takeOrdered}.
	 * @param until when another call may take the jobs, unless they are noted as
	 * published by then
	 * @return the jobs; those that have waited longest come first
	 */
	Taken take(Instant now, Instant until, int limit);

	/**
	 * Takes jobs of one ordered queue, as {@link #take} does with others, in the order in
	 * which they were kept. Takes none while earlier available jobs of the queue are
	 * taken and not noted as published, or were given back for later: those come first. A
	 * call waits until another one for the same queue has decided this.
	 * @param until when another call may take the jobs, unless they are noted as
	 * published by then
	 * @return jobs of one queue, in the order in which they were kept;
	 * {@link Taken#NOTHING} if no ordered queue has something to publish
	 */
	Taken takeOrdered(Instant now, Instant until, int limit);

	/**
	 * Takes jobs that wait for the turn of their tenant: as many as fill the tenant's
	 * share of the queue at the broker, those of several tenants alternating.
	 * @param until when another call may take the jobs, unless they are noted as
	 * published by then
	 * @return the jobs; those of one tenant in the order in which they are to run
	 */
	default Taken takeInTurn(Instant now, Instant until, Predicate<String> wanted, int limit) {
		return Taken.NOTHING;
	}

	/**
	 * Notes that the broker has jobs, at once or later. Leaves a job alone if it is not
	 * available, or if its relay time has changed: a worker has claimed it, it is to be
	 * published again, or it was moved to another queue. Also leaves a job alone if
	 * another transaction has locked its row, most likely because it begins; if it does
	 * not, the relay publishes it again.
	 * @param queue the queue that the jobs were published to; stores that hand jobs over
	 * to the broker decide by it
	 * @param jobs the ids of the jobs, each with its {@link RelayedJob#until()}
	 */
	void published(String queue, Map<String, Instant> jobs, Instant now);

	/**
	 * Gives back jobs that could not be published. A job whose row another transaction
	 * has locked is tried again when the time is over for which it was taken.
	 */
	void giveBack(Collection<String> jobIds, Instant relayAt);

	/**
	 * Makes dead letters of jobs that cannot be published. Leaves alone jobs that run,
	 * have ended, were published by another relay meanwhile, or are locked by another
	 * transaction.
	 * @param reasons the reasons, by job id, for people to read
	 * @return the jobs that are dead letters now
	 */
	List<StoredJob> bury(Map<String, String> reasons, Instant now);

	/**
	 * Returns the time at which the relay has to take something next.
	 * @return the earliest time; empty if no job waits for the relay
	 */
	Optional<Instant> nextAt();

	/**
	 * Returns the time after the present at which the relay has to take something next.
	 * @return the earliest time after it; empty if there is none
	 */
	Optional<Instant> nextAfter(Instant now);

	/** Hands over jobs that the broker got before their queue was handed over. */
	default void handOverPublished(Instant now) {
		// Only HandOverRelayStore hands queues over.
	}

	/**
	 * Counts the jobs that the broker should have, by queue.
	 * @param before only queues with a job that was published before this time
	 */
	List<AtBroker> atBroker(Instant before);

	/**
	 * Makes the relay publish again the jobs of a queue that were published long ago and
	 * not claimed since, because the broker has fewer messages than it should.
	 * @param before only jobs that were published before this time
	 */
	int publishAgain(String queue, Instant before, Instant relayAt, int limit);

	/**
	 * Excludes jobs of a queue from later checks that were published long ago and not
	 * claimed since, because a consumer that does not report to the store may have taken
	 * them. They stay available, and are not published again.
	 * @param before only jobs that were published before this time
	 */
	int giveUp(String queue, Instant before, int limit);

	/**
	 * The result of taking jobs.
	 *
	 * @param others the number of jobs that were due and are not to be published: they
	 * ended, or wait for the turn of their tenant from now on
	 */
	record Taken(List<RelayedJob> jobs, int others) {

		/** No job was due. */
		public static final Taken NOTHING = new Taken(List.of(), 0);

		public Taken {
			jobs = List.copyOf(jobs);
		}

		/**
		 * Whether no job was due.
		 * @return whether there are neither jobs to publish nor others
		 */
		public boolean isEmpty() {
			return this.jobs.isEmpty() && this.others == 0;
		}

	}

	/**
	 * The jobs of a queue that the broker should have.
	 *
	 * @param jobs the number of jobs that are available and published, or retryable and
	 * due
	 * @param active the number of active jobs of the queue
	 */
	record AtBroker(String queue, long jobs, long active) {
	}

}
