package io.ojs.client.internal;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.UndecodableJobException;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What a request costs grows with its size, and not with the square of it, whatever is in
 * it: read as JSON, checked, compared and written again.
 */
class CostOfInputTests {

	private static final String UNIQUE = ",\"unique\":{\"keys\":[\"args\"]}";

	private final JsonObjects objects = new JsonObjects();

	private final JobHandlers handlers = new JobHandlers(List.of());

	private final JobFactory jobs = new JobFactory(this.handlers,
			new RetryPolicies((queue) -> RetryPolicy.DEFAULT, this.handlers), new JsonValues(JsonMapper.shared()),
			new JsonJobCodec(), Clock.systemUTC(), 100 * 1024 * 1024);

	static Stream<Arguments> inputs() {
		return Stream.of(input("deep below long names", (n) -> nested(n, 1000)),
				input("unique, deep below long names", (n) -> nested(n, 1000) + UNIQUE),
				input("lists", (n) -> "\"args\":[" + repeated("[]", n / 3) + "]"),
				input("unique lists", (n) -> "\"args\":[" + repeated("[]", n / 3) + "]" + UNIQUE),
				input("names", (n) -> "\"args\":[{" + names(n / 10, ":1") + "}]"),
				input("fields", (n) -> "\"args\":[]," + names(n / 10, ":1")),
				input("metadata", (n) -> "\"args\":[],\"meta\":{" + names(n / 10, ":1") + "}"),
				input("text", (n) -> "\"args\":[\"" + "ä".repeat(n) + "\"]" + UNIQUE),
				input("errors that are not retried",
						(n) -> "\"args\":[],\"retry\":{\"non_retryable_errors\":[" + names(n / 10, "") + "]}"));
	}

	private static Arguments input(String name, IntFunction<String> fields) {
		return arguments(named(name, fields));
	}

	/** Zeros, as deep as there is room for names. */
	private static String nested(int size, int name) {
		int depth = size / 2 / name;
		return "\"args\":[" + ("{\"" + "k".repeat(name) + "\":").repeat(depth) + "[" + repeated("0", size / 4) + "]"
				+ "}".repeat(depth) + "]";
	}

	private static String repeated(String value, int times) {
		return value + ("," + value).repeat(times);
	}

	private static String names(int count, String behind) {
		return IntStream.range(0, count).mapToObj((i) -> "\"k" + i + "\"" + behind).collect(Collectors.joining(","));
	}

	@ParameterizedTest
	@MethodSource("inputs")
	void twiceTheInputCostsTwice(IntFunction<String> input) {
		create(input.apply(1000));
		long once = allocated(input.apply(50_000));
		long twice = allocated(input.apply(100_000));
		assertThat(twice).as("bytes allocated for twice the input, beside %d for the input", once).isLessThan(3 * once);
	}

	@Test
	void numbersNextToZeroCostLittleMoreThanOthers() {
		create("\"args\":[1e-310]" + UNIQUE);
		long bytes = allocated("\"args\":[" + repeated("2.2250738585072e-308", 1000) + "]" + UNIQUE);
		assertThat(bytes / 1000).as("bytes allocated for each number").isLessThan(80_000);
	}

	@Test
	void manyKeysOfManyArgumentsAreFoundAtOnce() {
		String fields = "\"args\":[{" + names(50_000, ":1") + "}," + repeated("{}", 200_000)
				+ "],\"unique\":{\"keys\":[\"args\"],\"args_keys\":[" + names(50_000, "") + "]}";
		assertTimeoutPreemptively(Duration.ofSeconds(40), () -> create(fields));
	}

	@Test
	void marksWithoutEndAreNotSorted() {
		// In turn of two classes, so that each of them has to pass all those before it.
		String fields = "\"args\":[\"a" + "\u0315\u0316".repeat(200_000) + "\"]" + UNIQUE;
		assertTimeoutPreemptively(Duration.ofSeconds(40), () -> create(fields));
	}

	@Test
	void namesAreBounded() {
		create("\"args\":[{\"" + "k".repeat(JsonObjects.MAX_NAME_LENGTH) + "\":1}]");
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> create("\"args\":[{\"" + "k".repeat(JsonObjects.MAX_NAME_LENGTH + 1) + "\":1}]"))
			.withMessageContaining("1024");
	}

	@Test
	void whereAnErrorIsCanBeReadWhateverStandsBefore() {
		String name = "💌".repeat(200);
		String fields = "\"args\":[" + ("{\"" + name + "\":").repeat(90) + "\"\\ud83d\"" + "}".repeat(90) + "]";
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> create(fields)).satisfies((ex) -> {
			assertThat(ex.field()).startsWith("args[0].💌").hasSizeLessThan(2000);
			assertThat(ex.field().getBytes(StandardCharsets.UTF_8)).asString(StandardCharsets.UTF_8)
				.isEqualTo(ex.field());
			assertThat(ex.getMessage()).hasSizeLessThan(2000);
		});
	}

	private long allocated(String fields) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long thread = Thread.currentThread().getId();
		long before = threads.getThreadAllocatedBytes(thread);
		create(fields);
		return threads.getThreadAllocatedBytes(thread) - before;
	}

	private void create(String fields) {
		byte[] body = ("{\"type\":\"a.b\"," + fields + "}").getBytes(StandardCharsets.UTF_8);
		this.jobs.create(JobRequestJson.read(this.objects.read(body), Instant.now()));
	}

}
