package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A reason why a job does not run now, or the state that it is in.
 *
 * @param code what it is, for programs
 * @param sentence the same for people, in English
 * @param since since when; {@code null} if that is not known
 * @param until until when; {@code null} if that is not known
 * @param facts the values in the sentence and more; JSON values
 */
public record Reason(String code, String sentence, @Nullable Instant since, @Nullable Instant until,
		Map<String, @Nullable Object> facts) {
}
