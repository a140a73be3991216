package io.ojs.store.relay;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.ojs.store.StoredJob;

/**
 * Knows which jobs the broker does not have.
 */
public interface RelayStore {

	/**
	 * Takes jobs to publish them: available ones that nobody has published, scheduled and
	 * retryable ones that are due, which become available. Others who ask meanwhile get
	 * other jobs. Jobs that have expired, or cannot be read, become dead letters instead.
	 * Jobs of ordered queues are left to {@link #takeOrdered}.
	 * @param now the present
	 * @param until when others may take them, unless they are known to be published by
	 * then
	 * @param limit how many at most
	 * @return the jobs, those that wait longest first
	 */
	Taken take(Instant now, Instant until, int limit);

	/**
	 * Takes jobs of one ordered queue, as {@link #take} does with others, in the order in
	 * which they were kept. Nobody gets any as long as others that are available are
	 * taken and not known to be published, or were given back for later: those come
	 * first. Who asks at the same time waits until this is decided.
	 * @param now the present
	 * @param until when others may take them, unless they are known to be published by
	 * then
	 * @param limit how many at most
	 * @return jobs of one queue, the first that was kept first; {@link Taken#NOTHING} if
	 * no ordered queue has something to publish
	 */
	Taken takeOrdered(Instant now, Instant until, int limit);

	/**
	 * Takes jobs that wait for the turn of their tenant, as many as it takes to fill its
	 * share of the queue at the broker, those of several tenants by turns.
	 * @param now the present
	 * @param until when others may take them, unless they are known to be published by
	 * then
	 * @param wanted of which OJS queues
	 * @param limit how many at most
	 * @return the jobs; those of one tenant in the order in which they are to run
	 */
	default Taken takeInTurn(Instant now, Instant until, Predicate<String> wanted, int limit) {
		return Taken.NOTHING;
	}

	/**
	 * Notes that the broker has jobs, at once or a while later. A job is left alone if it
	 * is not available, or if the relay is to take it at another time by now: a worker
	 * has claimed it, it is to be published again, or it was moved to another queue. So
	 * is a job whose row another transaction has locked, most likely because it begins;
	 * if it does not, the relay publishes it again.
	 * @param queue the queue that they were published to; stores that hand jobs over to
	 * the broker decide by it
	 * @param jobs the ids of the jobs, each with its {@link RelayedJob#until()}
	 * @param now since when the broker has them
	 */
	void published(String queue, Map<String, Instant> jobs, Instant now);

	/**
	 * Gives jobs back that could not be published. Those whose rows another transaction
	 * has locked are tried again when the relay that took them has had its time.
	 * @param jobIds the jobs
	 * @param relayAt when to try again
	 */
	void giveBack(Collection<String> jobIds, Instant relayAt);

	/**
	 * Makes dead letters of jobs that cannot be published. Those that run, have ended,
	 * were published by others meanwhile, or are locked by another transaction are left
	 * alone.
	 * @param reasons why not, by the ids of the jobs, for people to read
	 * @param now the present
	 * @return those that are dead letters now
	 */
	List<StoredJob> bury(Map<String, String> reasons, Instant now);

	/**
	 * When there will be something to take.
	 * @return the earliest time; empty if nothing waits for the relay
	 */
	Optional<Instant> nextAt();

	/**
	 * When there will be something to take that is not due yet.
	 * @param now the present
	 * @return the earliest time after it; empty if there is nothing
	 */
	Optional<Instant> nextAfter(Instant now);

	/**
	 * Hands over what the broker was given before its queue was handed over.
	 * @param now the present
	 */
	default void handOverPublished(Instant now) {
		// Only queues whose workers are other programs are handed over.
	}

	/**
	 * Counts what the broker should have, by queue.
	 * @param before only queues with a job that was published before
	 * @return the queues
	 */
	List<AtBroker> atBroker(Instant before);

	/**
	 * Has the relay publish jobs of a queue again that were published long ago and not
	 * claimed since, because the broker does not have as many as it should.
	 * @param queue the queue
	 * @param before only those that were published before
	 * @param relayAt when the relay takes care of them
	 * @param limit how many at most
	 * @return how many
	 */
	int publishAgain(String queue, Instant before, Instant relayAt, int limit);

	/**
	 * Has nobody miss jobs of a queue any longer that were published long ago and not
	 * claimed since, because a consumer may have taken them that does not report to the
	 * store. They stay available, and are not published again.
	 * @param queue the queue
	 * @param before only those that were published before
	 * @param limit how many at most
	 * @return how many
	 */
	int giveUp(String queue, Instant before, int limit);

	/**
	 * What was taken.
	 *
	 * @param jobs what is to be published
	 * @param others how many jobs were due and are not to be published: they ended, or
	 * wait for the turn of their tenant from now on
	 */
	record Taken(List<RelayedJob> jobs, int others) {

		/** There was nothing to take. */
		public static final Taken NOTHING = new Taken(List.of(), 0);

		public Taken {
			jobs = List.copyOf(jobs);
		}

		/**
		 * Whether nothing was found that was due.
		 * @return whether there are neither jobs to publish nor jobs that ended or wait
		 * for their turn
		 */
		public boolean isEmpty() {
			return this.jobs.isEmpty() && this.others == 0;
		}

	}

	/**
	 * What the broker should have of a queue.
	 *
	 * @param queue the queue
	 * @param jobs how many jobs are available and published, or retryable and due
	 * @param active how many jobs of the queue are being run
	 */
	record AtBroker(String queue, long jobs, long active) {
	}

}
