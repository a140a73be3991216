package io.ojs.test.jobs;

import java.util.List;

import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * {@link OjsOperations} for tests: keeps jobs in memory, where a test inspects and runs
 * them. Jobs are created as in the application, and run as with a worker and a job store,
 * by a clock that the test moves. {@code @OjsTest} and {@code @AutoConfigureOjsTest} make
 * a bean of it.
 *
 * <pre>{@code
 * jobs.enqueue("email.send", "ada@example.com");
 * assertThat(jobs.drain().completed()).hasSize(1);
 * }</pre>
 */
public interface TestJobs extends OjsOperations {

	/**
	 * Largest number of attempts in one call, which stops a job that enqueues itself
	 * again and again.
	 */
	int MAX_ATTEMPTS = 1000;

	/**
	 * Removes all jobs, and sets the clock to the present time.
	 */
	void reset();

	/**
	 * The clock of the jobs.
	 * @return the clock
	 */
	SettableClock clock();

	/**
	 * All jobs that were enqueued, including those that have ended.
	 * @return the jobs in their present state, in the order in which they were enqueued;
	 * their arguments are decrypted
	 */
	List<Job> all();

	/**
	 * All jobs of a type that were enqueued, including those that have ended.
	 * @param type the type
	 * @return the jobs in their present state, in the order in which they were enqueued;
	 * their arguments are decrypted
	 */
	List<Job> all(String type);

	/**
	 * Converts arguments to JSON values, as enqueueing would.
	 * @param args arguments
	 * @return the values that a job would have
	 */
	List<@Nullable Object> toJson(@Nullable Object... args);

	/**
	 * Runs all jobs that are due, and jobs that these enqueue and that are due, one after
	 * another on this thread. The clock does not move, unless handlers move it.
	 * @return the results
	 * @throws AssertionError after {@link #MAX_ATTEMPTS} jobs, because it would never end
	 */
	DrainResult drain();

	/**
	 * Runs all jobs that wait, for whatever time, and the jobs that these enqueue, one
	 * after another on this thread. The clock moves to the time of each job.
	 * @return the results
	 * @throws AssertionError after {@link #MAX_ATTEMPTS} jobs, because it would never end
	 */
	DrainResult drainAll();

}
