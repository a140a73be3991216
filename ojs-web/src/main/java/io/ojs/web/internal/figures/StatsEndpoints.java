package io.ojs.web.internal.figures;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.ojs.internal.figures.Shared;
import io.ojs.internal.stats.Durations;
import io.ojs.internal.stats.Numbers;
import io.ojs.internal.stats.Stats;
import io.ojs.internal.thread.Threads;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpQuery;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.ResponseJson;
import io.ojs.web.internal.Routes;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentLruCache;

/**
 * How many jobs ended over time, and how long they waited and ran.
 */
public final class StatsEndpoints implements Endpoints {

	private static final Duration DEFAULT_SPAN = Duration.ofHours(1);

	private static final int SHORTEST_STEP = 60;

	private static final int LONGEST_STEP = 3600;

	/** Of how many questions the answers are kept. */
	private static final int MOST_QUESTIONS = 100;

	private final Stats stats;

	private final ConcurrentLruCache<Question, Shared<Stats.Answer>> answers = new ConcurrentLruCache<>(MOST_QUESTIONS,
			this::shared);

	public StatsEndpoints(Stats stats) {
		this.stats = stats;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants().get("/v1/stats", Access.READ, this::stats);
	}

	private HttpResult stats(HttpCall call) {
		HttpQuery query = call.query();
		Instant since = query.time("since");
		if (since != null && since.isAfter(call.now())) {
			throw HttpFailure.invalid("since", query.string("since"), "must not be in the future");
		}
		// Pages that were opened in the same minute ask the same. No step is shorter.
		Instant begin = ((since != null) ? since : call.now().minus(DEFAULT_SPAN)).truncatedTo(ChronoUnit.MINUTES);
		Question question = new Question(begin, (int) query.number("step", SHORTEST_STEP, SHORTEST_STEP, LONGEST_STEP),
				by(query), query.string("queue"), query.string("type"), call.tenant());
		Stats.Answer answer = this.answers.get(question).get();
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("source", this.stats.isShared() ? "store" : "process");
		body.put("step_seconds", answer.stepSeconds());
		body.put("since", ResponseJson.time(answer.since()));
		body.put("until", ResponseJson.time(answer.until()));
		body.put("series", answer.series().stream().map(StatsEndpoints::json).toList());
		return HttpResult.ok(body);
	}

	private Shared<Stats.Answer> shared(Question question) {
		return new Shared<>(() -> question.read(this.stats), (task) -> Threads.daemon(task, "ojs-stats").start(),
				Shared.PATIENCE);
	}

	private static Stats.By by(HttpQuery query) {
		String by = query.string("by");
		return Arrays.stream(Stats.By.values())
			.filter((each) -> name(each).equals((by != null) ? by : name(Stats.By.NONE)))
			.findFirst()
			.orElseThrow(() -> HttpFailure.invalid("by", by, "must be one of "
					+ Arrays.stream(Stats.By.values()).map(StatsEndpoints::name).collect(Collectors.joining(", "))));
	}

	private static String name(Stats.By by) {
		return by.name().toLowerCase(Locale.ROOT);
	}

	private static Map<String, @Nullable Object> json(Stats.Series series) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("key", series.key().isEmpty() ? null : series.key());
		List<Map<String, @Nullable Object>> points = series.points()
			.entrySet()
			.stream()
			.map((point) -> json(point.getKey(), point.getValue()))
			.toList();
		object.put("points", points);
		return object;
	}

	private static Map<String, @Nullable Object> json(Instant at, Numbers numbers) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("at", ResponseJson.time(at));
		for (Numbers.Outcome outcome : Numbers.Outcome.values()) {
			object.put(outcome.name().toLowerCase(Locale.ROOT), numbers.count(outcome));
		}
		put(object, "run", numbers.runs());
		put(object, "wait", numbers.waits());
		return object;
	}

	private static void put(Map<String, @Nullable Object> object, String what, Durations durations) {
		boolean any = durations.count() > 0;
		object.put(what + "_p50_ms", any ? durations.percentile(0.5) : null);
		object.put(what + "_p95_ms", any ? durations.percentile(0.95) : null);
	}

	/**
	 * What callers ask for.
	 */
	private record Question(Instant since, int step, Stats.By by, @Nullable String queue, @Nullable String type,
			@Nullable String tenant) {

		Stats.Answer read(Stats stats) {
			return stats.read(this.since, this.step, this.by, this.queue, this.type, this.tenant);
		}

	}

}
