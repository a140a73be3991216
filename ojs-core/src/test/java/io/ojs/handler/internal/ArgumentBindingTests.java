package io.ojs.handler.internal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * How {@code args} become the parameters of a handler's method.
 */
class ArgumentBindingTests {

	private final Handlers handlers = new Handlers();

	@Test
	void byPosition() {
		assertThat(handle("positions", "user@example.com", 3, true)).isEqualTo("user@example.com 3 true");
	}

	@Test
	void oneObjectToARecord() {
		Map<String, Object> order = Map.of("id", "o-1", "lines",
				List.of(Map.of("article", "apple", "count", 3), Map.of("article", "pear", "count", 1)), "total",
				new BigDecimal("10.50"));
		assertThat(handle("order", order))
			.isEqualTo(new Order("o-1", List.of(new Line("apple", 3), new Line("pear", 1)), new BigDecimal("10.50")));
	}

	@Test
	void contextAndJobStandAnywhereAndTakeNoPosition() {
		assertThat(handle("contextFirst", "a", "b")).isEqualTo("a b 1");
		assertThat(handle("contextLast", "a", "b")).isEqualTo("a b 1");
		assertThat(handle("contextAndJobBetween", "a", "b")).isEqualTo("a b 1 a.b");
		assertThat(handle("contextAlone")).isEqualTo(1);
	}

	@Test
	void noArgumentsToNoParameters() {
		assertThat(handle("nothing")).isEqualTo("done");
	}

	@Test
	void optionalAtTheEndMayBeAbsent() {
		assertThat(handle("optionalLast", "a")).isEqualTo("a Optional.empty Optional.empty");
		assertThat(handle("optionalLast", "a", 5)).isEqualTo("a Optional[5] Optional.empty");
		assertThat(handle("optionalLast", "a", null, "c")).isEqualTo("a Optional.empty Optional[c]");
	}

	@Test
	void optionalInFrontMayBeNull() {
		assertThat(handle("optionalFirst", null, "to")).isEqualTo("Optional.empty to");
		assertThat(handle("optionalFirst", "cc", "to")).isEqualTo("Optional[cc] to");
	}

	@Test
	void nullToWhatIsNoPrimitive() {
		assertThat(handle("boxed", null, null, null)).isEqualTo("null null null");
	}

	@Test
	void listsAndMapsOfWhatTheirTypesSay() {
		Object args = List.of(Map.of("article", "apple", "count", 3));
		assertThat(handle("lines", args)).isEqualTo(List.of(new Line("apple", 3)));
		assertThat(handle("counts", Map.of("apple", 3))).isEqualTo(Map.of("apple", 3));
		assertThat(handle("nested", Map.of("a", List.of(Map.of("article", "apple", "count", 3)))))
			.isEqualTo(Map.of("a", List.of(Optional.of(new Line("apple", 3)))));
		assertThat(handle("array", args)).isEqualTo("[Line[article=apple, count=3]]");
		assertThat(handle("untyped", Arrays.asList(1, "a", null))).isEqualTo(Arrays.asList(1, "a", null));
	}

	static List<Arguments> conversions() {
		UUID uuid = UUID.fromString(HandlerFixture.ID);
		return List.of(arguments("aLong", "9007199254740993", 9_007_199_254_740_993L), arguments("aLong", 5, 5L),
				arguments("aDouble", 5, 5.0), arguments("aDouble", new BigDecimal("0.1"), 0.1),
				arguments("aDecimal", new BigDecimal("10.50"), new BigDecimal("10.50")),
				arguments("aBigInteger", "18446744073709551616", BigInteger.ONE.shiftLeft(64)),
				arguments("anEnum", "RED", Color.RED), arguments("aUuid", uuid.toString(), uuid),
				arguments("anInstant", "2026-03-15T09:30:00Z", Instant.parse("2026-03-15T09:30:00Z")),
				arguments("aDate", "2026-03-15", LocalDate.parse("2026-03-15")),
				arguments("aDuration", "PT1M", Duration.ofMinutes(1)), arguments("aChar", "x", 'x'),
				arguments("anObject", Map.of("a", 1), Map.of("a", 1)));
	}

	@ParameterizedTest(name = "{0} of {1}")
	@MethodSource("conversions")
	void textAndNumbersToWhatTheParameterIs(String method, Object json, Object expected) {
		assertThat(handle(method, json)).isEqualTo(expected);
	}

	private @Nullable Object handle(String method, @Nullable Object... args) {
		try {
			return HandlerFixture.handler(this.handlers, method).handle(HandlerFixture.attempt(args));
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	enum Color {

		RED, GREEN

	}

	record Line(String article, int count) {
	}

	record Order(String id, List<Line> lines, BigDecimal total) {
	}

	@SuppressWarnings("unused")
	static final class Handlers {

		String positions(String to, int times, boolean html) {
			return to + " " + times + " " + html;
		}

		Order order(Order order) {
			return order;
		}

		String contextFirst(JobContext context, String a, String b) {
			return a + " " + b + " " + context.attempt();
		}

		String contextLast(String a, String b, JobContext context) {
			return a + " " + b + " " + context.attempt();
		}

		String contextAndJobBetween(String a, JobContext context, Job job, String b) {
			return a + " " + b + " " + context.attempt() + " " + job.type();
		}

		int contextAlone(JobContext context) {
			return context.attempt();
		}

		String nothing() {
			return "done";
		}

		String optionalLast(String a, Optional<Integer> b, Optional<String> c) {
			return a + " " + b + " " + c;
		}

		String optionalFirst(Optional<String> cc, String to) {
			return cc + " " + to;
		}

		String boxed(@Nullable String a, @Nullable Integer b, @Nullable Order c) {
			return a + " " + b + " " + c;
		}

		List<Line> lines(List<Line> lines) {
			return lines;
		}

		Map<String, Integer> counts(Map<String, Integer> counts) {
			return counts;
		}

		Map<String, List<Optional<Line>>> nested(Map<String, List<Optional<Line>>> nested) {
			return nested;
		}

		String array(Line... lines) {
			return Arrays.toString(lines);
		}

		List<?> untyped(List<?> values) {
			return values;
		}

		long aLong(long value) {
			return value;
		}

		double aDouble(double value) {
			return value;
		}

		BigDecimal aDecimal(BigDecimal value) {
			return value;
		}

		BigInteger aBigInteger(BigInteger value) {
			return value;
		}

		Color anEnum(Color value) {
			return value;
		}

		UUID aUuid(UUID value) {
			return value;
		}

		Instant anInstant(Instant value) {
			return value;
		}

		LocalDate aDate(LocalDate value) {
			return value;
		}

		Duration aDuration(Duration value) {
			return value;
		}

		char aChar(char value) {
			return value;
		}

		Object anObject(Object value) {
			return value;
		}

	}

}
