package io.ojs.client.internal;

import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes jobs that every reader of JSON accepts. This takes less time than decoding
 * them.
 */
final class PlainValues {

	/** These bounds are far below those of readers. */
	private static final int MAX_NAME = 255;

	private static final int MAX_TEXT = 100_000;

	private static final int MAX_DEPTH = 100;

	private PlainValues() {
	}

	/**
	 * Whether every reader accepts the arguments of a job. {@code false} only means that
	 * this class cannot tell.
	 */
	static boolean inArgs(Job job) {
		return isPlain(job.args(), 0);
	}

	/**
	 * Whether every reader accepts all other fields of a job, with the same restriction.
	 */
	static boolean besideArgs(Job job) {
		return job.extensions().isEmpty() && job.retry() == null && job.unique() == null && isPlain(job.meta(), 0);
	}

	private static boolean isPlain(@Nullable Object value, int depth) {
		if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
			return true;
		}
		if (value instanceof String text) {
			return text.length() <= MAX_TEXT;
		}
		if (value instanceof Double number) {
			return Double.isFinite(number);
		}
		if (depth == MAX_DEPTH) {
			return false;
		}
		if (value instanceof List<?> list) {
			for (Object element : list) {
				if (!isPlain(element, depth + 1)) {
					return false;
				}
			}
			return true;
		}
		return value instanceof Map<?, ?> map && isPlain(map, depth);
	}

	private static boolean isPlain(Map<?, ?> map, int depth) {
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			if (!(entry.getKey() instanceof String name) || name.length() > MAX_NAME
					|| !isPlain(entry.getValue(), depth + 1)) {
				return false;
			}
		}
		return true;
	}

}
