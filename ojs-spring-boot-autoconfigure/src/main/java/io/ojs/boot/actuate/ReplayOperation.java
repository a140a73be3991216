package io.ojs.boot.actuate;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A replay as a management endpoint is asked for it: parameters are text, the answer is
 * plain data. Over a network it counts only unless {@code dryRun} is {@code false}, and
 * replays a thousand jobs unless {@code max} says otherwise, so that the answer comes
 * before the question is given up.
 */
@FunctionalInterface
public interface ReplayOperation {

	/**
	 * Replays.
	 * @param parameters by name, as {@link OjsEndpoint#replay} has them; {@code queue} is
	 * required
	 * @return the answer, also to a question that is none
	 */
	Answer replay(Map<String, @Nullable String> parameters);

	/**
	 * An answer.
	 *
	 * @param status 200, or 400 for parameters that cannot be, 409 if the replay was
	 * refused, 503 without a broker or a database: what HTTP calls it
	 * @param body text, numbers, booleans, lists and maps; {@code source} says where dead
	 * letters were looked for, {@code broker} or {@code store}
	 */
	record Answer(int status, Map<String, Object> body) {
	}

}
