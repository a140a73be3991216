package io.ojs.cron;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.InvalidJobException;
import io.ojs.store.StoreException;

/**
 * Registers, lists, enables, disables, triggers and removes crons (OJS Cron §8). Each
 * method is part of the caller's transaction if there is one, and throws a
 * {@link StoreException} if the database fails.
 */
public interface CronJobs {

	/** The longest name. */
	int MAX_NAME_LENGTH = 255;

	/**
	 * Registers a cron, or changes the registered one with the same name. The next time
	 * stays, if the expression and the zone are the same and the cron stays enabled.
	 * @param request the cron
	 * @return the registered cron
	 * @throws InvalidCronException if it breaks a rule, or would never fire
	 * @throws InvalidJobException if its job breaks a rule; the exception names the field
	 * of the job
	 */
	CronJob register(CronRequest request);

	/**
	 * Registers the crons that an application declares, and removes those that it has
	 * declared before and does not declare any more. An unchanged declaration changes
	 * nothing, so a cron that an operator has disabled stays disabled.
	 * @param application the name of the application
	 * @param requests all crons that it declares
	 * @throws InvalidCronException if one of them breaks a rule, or would never fire
	 * @throws InvalidJobException if a job breaks a rule
	 */
	void declare(String application, Collection<CronRequest> requests);

	/**
	 * Checks a cron without registering it.
	 * @param request the cron
	 * @return a copy whose job has a queue, and arguments of JSON's own types
	 * @throws InvalidCronException if it breaks a rule, or would never fire
	 * @throws InvalidJobException if its job breaks a rule
	 */
	CronRequest check(CronRequest request);

	/**
	 * Finds a cron.
	 * @param name its name
	 * @return the cron; empty if it does not exist
	 */
	Optional<CronJob> find(String name);

	/**
	 * Lists all crons.
	 * @return the crons, by name
	 */
	List<CronJob> list();

	/**
	 * Lists the last runs of a cron. The last 100 are kept, and older ones whose jobs
	 * have not ended, unless jobs of the cron may overlap.
	 * @param name its name
	 * @param limit the largest number of runs
	 * @return the runs, the last first; empty if the cron does not exist
	 */
	List<CronRun> runs(String name, int limit);

	/**
	 * Lists the last runs of several crons, with one query.
	 * @param names their names
	 * @param limit the largest number of runs of each, at most 100
	 * @return the runs by cron, the last first; without crons that have none
	 */
	Map<String, List<CronRun>> runs(Collection<String> names, int limit);

	/**
	 * Computes the next times of a cron.
	 * @param cron the cron
	 * @param limit the largest number of times
	 * @return the times in their order; empty if the cron is disabled
	 */
	List<Instant> nextRuns(CronJob cron, int limit);

	/**
	 * Enables a cron. Its next time is the first one from now on.
	 * @param name its name
	 * @return the cron
	 * @throws CronNotFoundException if it does not exist
	 */
	CronJob enable(String name);

	/**
	 * Disables a cron: it does not fire until it is enabled.
	 * @param name its name
	 * @return the cron, without a next time
	 * @throws CronNotFoundException if it does not exist
	 */
	CronJob disable(String name);

	/**
	 * Fires a cron now, at any time, even if it is disabled. Its next time does not
	 * change. Its overlap policy applies.
	 * @param name its name
	 * @return its run
	 * @throws CronNotFoundException if it does not exist
	 */
	CronRun trigger(String name);

	/**
	 * Removes a cron. The jobs that it has enqueued stay.
	 * @param name its name
	 * @return the cron, as it was
	 * @throws CronNotFoundException if it does not exist
	 */
	CronJob remove(String name);

}
