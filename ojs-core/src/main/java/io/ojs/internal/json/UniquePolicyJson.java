package io.ojs.internal.json;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes policies of unique jobs as JSON objects (OJS Unique Jobs §2, §13).
 * Unknown fields are rejected, because a misspelt one would change which jobs are unique.
 */
public final class UniquePolicyJson {

	private static final String FIELD = "unique";

	private UniquePolicyJson() {
	}

	/**
	 * Reads a policy.
	 * @throws InvalidJobException if the value is not a policy or breaks a rule; the
	 * exception has the path in the envelope, such as {@code unique.states}
	 */
	public static UniquePolicy read(@Nullable Object value) {
		Map<String, @Nullable Object> policy = new LinkedHashMap<>();
		policy.put(FIELD, value);
		JsonFields fields = new JsonFields(policy, InvalidJobException::new).nested(FIELD);
		if (fields == null) {
			throw new InvalidJobException(FIELD, null, "must be an object");
		}
		List<String> keys = fields.strings("keys");
		List<String> argsKeys = fields.strings("args_keys");
		List<String> metaKeys = fields.strings("meta_keys");
		// OJS Job Versioning §15.5: the version is compared by default.
		boolean byDefault = keys == null;
		// A field of OJS JSON Format §3.5 that sets both keys and args_keys.
		if (keys == null && argsKeys == null && fields.has("key")) {
			argsKeys = fields.strings("key");
			keys = List.of("args");
		}
		Set<UniqueDimension> compared = (keys != null) ? each("keys", keys, UniqueDimension::fromWire) : Set.of();
		if (byDefault) {
			compared = with(compared, UniqueDimension.VERSION);
		}
		if (argsKeys != null && argsKeys.isEmpty() && compared.contains(UniqueDimension.ARGS)) {
			throw new InvalidJobException(FIELD + ".args_keys", argsKeys,
					"must name at least one key; leave it out to compare all arguments");
		}
		List<String> states = fields.strings("states");
		String onConflict = fields.string("on_conflict");
		UniquePolicy read = new UniquePolicy(compared, (argsKeys != null) ? argsKeys : List.of(),
				(metaKeys != null) ? metaKeys : List.of(), fields.duration("period"),
				(states != null) ? each("states", states, UniquePolicyJson::state) : UniquePolicy.DEFAULT_STATES,
				(onConflict != null) ? OnConflict.fromWire(onConflict) : OnConflict.REJECT);
		fields.leftOver().forEach((name, unknown) -> {
			throw new InvalidJobException(FIELD + "." + name, unknown,
					"is not known: a policy has keys, args_keys, meta_keys, period, states and on_conflict");
		});
		return read.check();
	}

	private static Set<UniqueDimension> with(Set<UniqueDimension> dimensions, UniqueDimension more) {
		Set<UniqueDimension> all = new LinkedHashSet<>(dimensions);
		all.add(more);
		return all;
	}

	private static <T> Set<T> each(String name, List<String> values, Function<String, T> read) {
		if (new HashSet<>(values).size() < values.size()) {
			throw new InvalidJobException(FIELD + "." + name, values, "must not name a value twice");
		}
		Set<T> result = new LinkedHashSet<>();
		values.forEach((value) -> result.add(read.apply(value)));
		return result;
	}

	private static JobState state(String value) {
		for (JobState state : JobState.values()) {
			if (state.wireName().equals(value)) {
				return state;
			}
		}
		throw new InvalidJobException(FIELD + ".states", value, "must be one of "
				+ Arrays.stream(JobState.values()).map(JobState::wireName).collect(Collectors.joining(", ")));
	}

	/** Writes a policy, including its defaults, because specifications differ in them. */
	public static Map<String, @Nullable Object> write(UniquePolicy policy) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("keys", policy.keys().stream().map(UniqueDimension::wireName).toList());
		if (!policy.argsKeys().isEmpty()) {
			object.put("args_keys", policy.argsKeys());
		}
		if (!policy.metaKeys().isEmpty()) {
			object.put("meta_keys", policy.metaKeys());
		}
		if (policy.period() != null) {
			object.put("period", policy.period().toString());
		}
		object.put("states", policy.states().stream().map(JobState::wireName).toList());
		object.put("on_conflict", policy.onConflict().wireName());
		return object;
	}

}
