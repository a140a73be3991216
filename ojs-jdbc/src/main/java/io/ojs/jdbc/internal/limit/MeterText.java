package io.ojs.jdbc.internal.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.rate.RateMeter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the counts of a meter as text, and reads them.
 */
final class MeterText {

	private MeterText() {
	}

	static RateMeter read(JsonText json, String key, long running, @Nullable String text) {
		RateMeter meter = new RateMeter(key, running);
		Map<String, @Nullable Object> kept = json.readObject(text);
		each(kept.get("windows"),
				(period, value) -> meter.window(Duration.parse(period),
						new RateMeter.Window(instant(((Map<?, ?>) value).get("since")),
								((Number) Objects.requireNonNull(((Map<?, ?>) value).get("starts"))).longValue())));
		each(kept.get("next"), (interval, value) -> meter.nextStart(Duration.parse(interval), instant(value)));
		return meter;
	}

	private static void each(@Nullable Object map, BiConsumer<String, Object> action) {
		if (map instanceof Map<?, ?> entries) {
			entries.forEach((key, value) -> action.accept((String) key, value));
		}
	}

	private static Instant instant(@Nullable Object value) {
		return Instant.parse(String.valueOf(value));
	}

	static String write(JsonText json, RateMeter meter) {
		Map<String, @Nullable Object> windows = new LinkedHashMap<>();
		meter.windows()
			.forEach((period, window) -> windows.put(period.toString(),
					Map.of("since", window.since().toString(), "starts", window.starts())));
		Map<String, @Nullable Object> next = new LinkedHashMap<>();
		meter.nextStarts().forEach((interval, at) -> next.put(interval.toString(), at.toString()));
		return json.write(Map.of("windows", windows, "next", next));
	}

}
