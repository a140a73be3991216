package io.ojs.internal.json;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What Java values look like in {@code args} and {@code meta} (OJS JSON Format §3.3, §4,
 * §7).
 */
class JavaValuesAsJsonTests {

	private static final BigInteger BEYOND = BigInteger.ONE.shiftLeft(53);

	private final JsonValues values = new JsonValues(JsonMapper.shared());

	static Stream<Arguments> scalars() {
		UUID uuid = UUID.fromString("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");
		return Stream.of(arguments("text", "text"), arguments("💌 and more", "💌 and more"),
				arguments(new StringBuilder("built"), "built"), arguments('c', "c"), arguments(true, true),
				arguments(uuid, uuid.toString()), arguments(7, 7), arguments((short) 7, 7), arguments((byte) 7, 7),
				arguments(7L, 7), arguments(BigInteger.valueOf(7), 7), arguments(new AtomicInteger(7), 7),
				arguments(Integer.MIN_VALUE, Integer.MIN_VALUE), arguments(2_147_483_648L, 2_147_483_648L),
				arguments(0.1, new BigDecimal("0.1")), arguments(0.1f, new BigDecimal("0.1")),
				arguments(1e300, new BigDecimal("1.0E+300")),
				arguments(new BigDecimal("10.50"), new BigDecimal("10.50")), arguments(Color.RED, "RED"),
				arguments(Renamed.ONE, "uno"), arguments(Runner.FAST, "FAST"),
				arguments(Instant.parse("2026-03-15T09:30:00Z"), "2026-03-15T09:30:00Z"),
				arguments(OffsetDateTime.parse("2026-03-15T09:30:00+02:00"), "2026-03-15T09:30:00+02:00"),
				arguments(LocalDate.parse("2026-03-15"), "2026-03-15"),
				arguments(LocalDateTime.parse("2026-03-15T09:30:00"), "2026-03-15T09:30:00"),
				arguments(Duration.ofSeconds(90), "PT1M30S"), arguments(Year.of(2026), 2026),
				arguments(ZoneId.of("Europe/Paris"), "Europe/Paris"), arguments(Locale.CANADA_FRENCH, "fr-CA"),
				arguments(Currency.getInstance("EUR"), "EUR"), arguments(URI.create("urn:a:b"), "urn:a:b"),
				arguments(Optional.of("there"), "there"), arguments(OptionalInt.of(3), 3),
				arguments(new AtomicReference<>("held"), "held"),
				arguments(JsonNodeFactory.instance.stringNode("node"), "node"));
	}

	@ParameterizedTest
	@MethodSource("scalars")
	void scalarsBecomeTextNumbersAndBooleans(Object value, Object expected) {
		assertThat(toJson(value)).isEqualTo(expected);
	}

	@Test
	void nothingBecomesNull() {
		assertThat(toJson(null)).isNull();
		assertThat(toJson(Optional.empty())).isNull();
		assertThat(toJson(JsonNodeFactory.instance.nullNode())).isNull();
	}

	static Stream<Arguments> wholeNumbers() {
		long safe = (1L << 53) - 1;
		return Stream.of(arguments(safe, safe), arguments(-safe, -safe), arguments(safe + 1, "9007199254740992"),
				arguments(-safe - 1, "-9007199254740992"), arguments(Long.MAX_VALUE, "9223372036854775807"),
				arguments(Long.MIN_VALUE, "-9223372036854775808"),
				arguments(BEYOND.subtract(BigInteger.ONE), 9_007_199_254_740_991L),
				arguments(BEYOND, "9007199254740992"), arguments(BEYOND.negate(), "-9007199254740992"),
				arguments(BigInteger.TEN.pow(40), "1" + "0".repeat(40)));
	}

	@ParameterizedTest
	@MethodSource("wholeNumbers")
	void wholeNumbersThatAJavaScriptClientWouldRoundBecomeText(Number value, Object expected) {
		assertThat(toJson(value)).isEqualTo(expected);
		assertThat(toJson(new Holder(value))).isEqualTo(Map.of("value", expected));
		assertThat(toJson(List.of(value))).isEqualTo(List.of(expected));
	}

	@ParameterizedTest
	@MethodSource("wholeNumbers")
	void wholeNumbersAreReadBackFromText(Number value, Object json) {
		BigInteger big = new BigInteger(value.toString());
		assertThat(this.values.<Object>fromJson("args[0]", json, BigInteger.class)).isEqualTo(big);
		if (big.bitLength() < 64) {
			assertThat(this.values.<Object>fromJson("args[0]", json, long.class)).isEqualTo(big.longValueExact());
			assertThat(this.values.<Object>fromJson("args[0]", json, Long.class)).isEqualTo(big.longValueExact());
		}
	}

	@Test
	void bytesBecomeBase64UrlWithoutPaddingAndAreReadBack() {
		byte[] bytes = { (byte) 0xfb, (byte) 0xff, (byte) 0xfe, 0 };
		assertThat(toJson(bytes)).isEqualTo("-__-AA");
		assertThat(toJson(new Attachment("a", bytes))).isEqualTo(Map.of("name", "a", "content", "-__-AA"));
		assertThat((byte[]) this.values.fromJson("args[0]", "-__-AA", byte[].class)).isEqualTo(bytes);
		Attachment read = this.values.fromJson("args[0]", toJson(new Attachment("a", bytes)), Attachment.class);
		assertThat(read).isNotNull();
		assertThat(read.content()).isEqualTo(bytes);
	}

	@Test
	void recordsAndBeansBecomeObjectsAllTheWayDown() {
		Order order = new Order("o-1", new BigDecimal("10.50"), List.of(new Line("apple", 3), new Line("pear", 1)),
				Map.of(Color.RED, List.of(1, 2)), Optional.empty(), Instant.parse("2026-03-15T09:30:00Z"));
		assertThat(toJson(order)).isEqualTo(mapOf("id", "o-1", "total", new BigDecimal("10.50"), "lines",
				List.of(Map.of("article", "apple", "count", 3), Map.of("article", "pear", "count", 1)), "byColor",
				Map.of("RED", List.of(1, 2)), "note", null, "at", "2026-03-15T09:30:00Z"));
		assertThat(this.values.<Object>fromJson("args[0]", toJson(order), Order.class)).isEqualTo(order);
	}

	@Test
	void collectionsAndArraysBecomeListsAllTheWayDown() {
		assertThat(toJson(new int[] { 1, 2 })).isEqualTo(List.of(1, 2));
		assertThat(toJson(new Object[] { "a", null, new String[][] { { "b" } } }))
			.isEqualTo(Arrays.asList("a", null, List.of(List.of("b"))));
		assertThat(toJson(new ArrayDeque<>(List.of(Color.RED, Color.GREEN)))).isEqualTo(List.of("RED", "GREEN"));
		assertThat(toJson(Collections.singleton(Optional.of(Set.of(1L))))).isEqualTo(List.of(List.of(1)));
		assertThat(toJson(List.of())).isEqualTo(List.of());
	}

	@Test
	void mapsBecomeObjectsInTheirOrder() {
		Map<Object, Object> map = new LinkedHashMap<>();
		map.put("z", new Line("apple", 1));
		map.put(7, null);
		map.put(new StringBuilder("a"), List.of(0.5));
		assertThat((Map<?, ?>) toJson(map)).asString().isEqualTo("{z={article=apple, count=1}, 7=null, a=[0.5]}");
		assertThat(toJson(new EnumMap<>(Map.of(Color.GREEN, 1)))).isEqualTo(Map.of("GREEN", 1));
	}

	@Test
	void enumsHaveOneNameAsKeysAndAsValues() {
		Map<Renamed, Renamed> map = Map.of(Renamed.ONE, Renamed.TWO);
		assertThat(toJson(map)).isEqualTo(Map.of("uno", "dos"));
		assertThat(this.values.<Object>fromJson("args[0]", toJson(map), new Holders().renamed())).isEqualTo(map);
	}

	@Test
	void enumsAsKeysFollowTheMapperToo() {
		JsonValues byName = new JsonValues(JsonMapper.builder()
			.disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
			.build());
		Map<Renamed, Renamed> map = Map.of(Renamed.ONE, Renamed.TWO);
		assertThat(byName.toJson("args[0]", map)).isEqualTo(Map.of("ONE", "TWO"));
		assertThat(byName.<Object>fromJson("args[0]", byName.toJson("args[0]", map), new Holders().renamed()))
			.isEqualTo(map);
	}

	@Test
	void applicationsOwnMapperSaysWhatBeansLookLike() {
		JsonMapper snakes = JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
		assertThat(new JsonValues(snakes).toJson("args[0]", new Camel("x"))).isEqualTo(Map.of("two_words", "x"));
	}

	private @Nullable Object toJson(@Nullable Object value) {
		return this.values.toJson("args[0]", value);
	}

	private static Map<String, @Nullable Object> mapOf(@Nullable Object... entries) {
		Map<String, @Nullable Object> map = new TreeMap<>();
		for (int i = 0; i < entries.length; i += 2) {
			map.put(String.valueOf(entries[i]), entries[i + 1]);
		}
		return map;
	}

	enum Color {

		RED, GREEN

	}

	enum Renamed {

		ONE, TWO;

		@Override
		public String toString() {
			return (this == ONE) ? "uno" : "dos";
		}

	}

	/** An enum is data, whatever it can do besides. */
	enum Runner implements Runnable {

		FAST {
			@Override
			public void run() {
				// Nothing to do.
			}
		}

	}

	record Holder(Object value) {
	}

	record Camel(String twoWords) {
	}

	record Line(String article, int count) {
	}

	record Attachment(String name, byte[] content) {
	}

	record Order(String id, BigDecimal total, List<Line> lines, Map<Color, List<Integer>> byColor,
			Optional<String> note, Instant at) {
	}

	/** A generic type as reflection gives it. */
	static final class Holders {

		private final Map<Renamed, Renamed> field = Map.of();

		Type renamed() {
			try {
				return Holders.class.getDeclaredField("field").getGenericType();
			}
			catch (NoSuchFieldException ex) {
				throw new IllegalStateException(this.field.toString(), ex);
			}
		}

	}

}
