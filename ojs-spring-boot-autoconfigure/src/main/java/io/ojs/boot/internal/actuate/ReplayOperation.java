package io.ojs.boot.internal.actuate;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A replay that a management endpoint asks for: parameters are text, the answer is plain
 * data. It only counts unless {@code dryRun} is {@code false}, and it replays at most a
 * thousand jobs unless {@code max} says otherwise, so that the answer arrives before the
 * caller times out.
 */
@FunctionalInterface
public interface ReplayOperation {

	/**
	 * Replays dead letters, or counts them.
	 * @param parameters by name, as {@link OjsEndpoint#replay} has them; {@code queue} is
	 * required
	 */
	Answer replay(Map<String, @Nullable String> parameters);

	/**
	 * An answer.
	 *
	 * @param status the HTTP status: 200; 400 for invalid parameters; 409 if the replay
	 * was refused; 503 if the broker or the database cannot be reached
	 * @param body text, numbers, booleans, lists and maps; {@code source} is
	 * {@code broker} or {@code store}, the place of the dead letters
	 */
	record Answer(int status, Map<String, Object> body) {
	}

}
