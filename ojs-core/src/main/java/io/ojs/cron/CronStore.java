package io.ojs.cron;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps crons and their runs. Every method is part of the caller's transaction, if there
 * is one; those that lock need one, since locks last until its end.
 */
public interface CronStore {

	/**
	 * How many runs of each cron are kept, besides those whose job has not ended where
	 * jobs do not overlap.
	 */
	int RUNS = 100;

	/**
	 * Looks a cron up.
	 * @param name its name
	 * @return the cron; empty if there is none
	 */
	Optional<CronJob> find(String name);

	/**
	 * Lists all crons.
	 * @return the crons, by their names
	 */
	List<CronJob> list();

	/**
	 * Looks a cron up that nobody else changes or fires until the transaction ends.
	 * @param name its name
	 * @return the cron; empty if there is none
	 */
	Optional<CronJob> lock(String name);

	/**
	 * Takes a cron whose time has come, and that nobody else has taken.
	 * @param now the present
	 * @param except the names of crons that are to be left alone
	 * @return the cron that has been due longest, locked; empty if there is none
	 */
	Optional<CronJob> takeDue(Instant now, Set<String> except);

	/**
	 * Keeps a cron.
	 * @param cron the cron
	 * @return whether it is kept; it is not if its name is taken
	 */
	boolean insert(CronJob cron);

	/**
	 * Changes a cron that the caller has locked.
	 * @param cron the cron
	 */
	void update(CronJob cron);

	/**
	 * Forgets a cron that the caller has locked, and its runs.
	 * @param name its name
	 */
	void delete(String name);

	/**
	 * The jobs of a cron that have not ended.
	 * @param name its name
	 * @return their ids, the oldest first
	 */
	List<String> unfinished(String name);

	/**
	 * Notes a run of a cron that the caller has locked, has it in the feed of events, and
	 * forgets the oldest of its runs.
	 * @param cron the cron, as it is after the run
	 * @param run the run
	 */
	void record(CronJob cron, CronRun run);

	/**
	 * Takes a run that waits and may begin: no job of an earlier one is left. Its cron is
	 * locked.
	 * @return the run; empty if there is none
	 */
	Optional<CronRun> takeReleasable();

	/**
	 * The runs of a cron that wait.
	 * @param name its name
	 * @return the runs, the oldest first
	 */
	List<CronRun> waiting(String name);

	/**
	 * Notes that a run waits no longer. The caller has locked its cron.
	 * @param run the run
	 */
	void released(CronRun run);

	/**
	 * The last runs of a cron.
	 * @param name its name
	 * @param limit how many at most
	 * @return the runs, the last first
	 */
	List<CronRun> runs(String name, int limit);

	/**
	 * When there will be something to do.
	 * @param except the names of crons that are to be left alone
	 * @return the next time of any other cron, which may have passed; empty if none fires
	 */
	Optional<Instant> nextAt(Set<String> except);

	/**
	 * Whether runs wait for others to end.
	 * @return whether there is one
	 */
	boolean hasWaiting();

}
