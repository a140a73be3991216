package io.ojs.rate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.store.StoreUnavailableException;

/**
 * Knows which keys are limited, and who waits for them. Whoever claims a job asks for
 * leave in the same transaction; this lets through who waits.
 *
 * <p>
 * Every method throws {@link StoreUnavailableException} if the database cannot be
 * reached.
 */
public interface RateLimitStore {

	/**
	 * Lets jobs through that have waited for time to pass, as far as their key allows:
	 * the highest priority first, then the one that has waited longest.
	 * @param now the present
	 * @return how many were let through: the relay takes care of them
	 */
	int release(Instant now);

	/**
	 * Lets jobs through whatever they wait for, in case that what they waited for has
	 * ended and nobody saw it; passes on the places of jobs whose queue is paused; and
	 * forgets keys that nobody has named for a day after their period.
	 * @param now the present
	 * @return how many were let through: the relay takes care of them
	 */
	int releaseAll(Instant now);

	/**
	 * When the next may be let through because of time alone.
	 * @return when; empty if nobody waits for time to pass
	 */
	Optional<Instant> nextRelease();

	/**
	 * Looks at a key.
	 * @param key the key
	 * @return what is known of it; empty if no job has named it lately
	 */
	Optional<RateLimitStatus> find(String key);

	/**
	 * Lists keys.
	 * @param after only those that come later in the alphabet
	 * @param limit how many at most
	 * @return the keys in the order of the alphabet
	 */
	List<RateLimitStatus> list(String after, int limit);

}
