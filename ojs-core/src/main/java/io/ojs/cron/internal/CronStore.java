package io.ojs.cron.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.ojs.cron.CronJob;
import io.ojs.cron.CronRun;

/**
 * Keeps crons and their runs. Every method is part of the caller's transaction if there
 * is one. Methods that lock need one, since locks last until its end.
 */
public interface CronStore {

	/**
	 * The number of runs that are kept of each cron, beside those whose job has not ended
	 * if jobs must not overlap.
	 */
	int RUNS = 100;

	/**
	 * Finds a cron.
	 * @return the cron; empty if it does not exist
	 */
	Optional<CronJob> find(String name);

	/** Lists all crons. */
	List<CronJob> list();

	/**
	 * Finds and locks a cron: no other transaction changes or fires it until this one
	 * ends.
	 * @return the cron; empty if it does not exist
	 */
	Optional<CronJob> lock(String name);

	/**
	 * Locks a cron that is due and that no other transaction has locked.
	 * @return the cron that has been due longest; empty if there is none
	 */
	Optional<CronJob> takeDue(Instant now, Set<String> except);

	/**
	 * Inserts a cron.
	 * @return whether it was inserted; {@code false} if its name is taken
	 */
	boolean insert(CronJob cron);

	/** Changes a cron that the caller has locked. */
	void update(CronJob cron);

	/** Deletes a cron that the caller has locked, and its runs. */
	void delete(String name);

	/** Finds the jobs of a cron that have not ended. */
	List<String> unfinished(String name);

	/**
	 * Records a run of a cron that the caller has locked, appends its event to the feed,
	 * and deletes the oldest runs.
	 * @param cron the cron, as it is after the run
	 */
	void record(CronJob cron, CronRun run);

	/** Appends the event of a change to the feed, with who has made it. */
	void changed(CronJob cron, Change change);

	/**
	 * Finds a waiting run that can be released, because no job of an earlier run is left,
	 * and locks its cron.
	 * @return the run; empty if there is none
	 */
	Optional<CronRun> takeReleasable();

	/** Lists the waiting runs of a cron. */
	List<CronRun> waiting(String name);

	/** Records that a waiting run was released. The caller has locked its cron. */
	void released(CronRun run);

	/** Lists the last runs of several crons, by their names. */
	Map<String, List<CronRun>> runs(Collection<String> names, int limit);

	/** Lists the last runs of a cron. */
	List<CronRun> runs(String name, int limit);

	/**
	 * Returns the next time at which a cron is due.
	 * @return the time, which may have passed; empty if no other cron fires
	 */
	Optional<Instant> nextAt(Set<String> except);

	/**
	 * Whether there are waiting runs.
	 * @return whether there is at least one
	 */
	boolean hasWaiting();

	/**
	 * A change of a cron that is not a run.
	 */
	enum Change {

		REGISTERED, UPDATED, ENABLED, DISABLED, REMOVED;

		/** Returns the name of its event, which OJS Cron does not have. */
		public String wireName() {
			return "cron." + name().toLowerCase(Locale.ROOT);
		}

	}

}
