package io.ojs.internal.json;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What cannot be an argument, and that the caller learns where it stands: alone, in a
 * list, in a map and in a record.
 */
class ValuesThatAreNoDataTests {

	private final JsonValues values = new JsonValues(JsonMapper.shared());

	static Stream<Arguments> noData() {
		Supplier<String> lambda = () -> "later";
		Runnable task = () -> {
		};
		return Stream.of(arguments(named("lambda", lambda)), arguments(named("task", task)),
				arguments(named("thread", Thread.currentThread())),
				arguments(named("stream", new ByteArrayInputStream(new byte[1]))),
				arguments(named("reader", new StringReader("x"))), arguments(named("sequence", Stream.of(1))),
				arguments(named("iterator", List.of(1).iterator())),
				arguments(named("future", CompletableFuture.completedFuture(1))),
				arguments(named("class", String.class)),
				arguments(named("class loader", ClassLoader.getSystemClassLoader())),
				arguments(named("exception", new IllegalStateException("x"))), arguments(named("object", new Object())),
				arguments(named("number of an unknown kind", new DoubleAdder())), arguments(named("NaN", Double.NaN)),
				arguments(named("infinity", Float.NEGATIVE_INFINITY)),
				arguments(named("half a surrogate pair", "a\ud83d")),
				arguments(named("halves the wrong way round", "\udc8c\ud83d")),
				arguments(named("half a pair", '\udc8c')));
	}

	@ParameterizedTest
	@MethodSource("noData")
	void isRefusedAsAnArgument(Object value) {
		assertRefused("args[1]", value, "args[1]");
	}

	@ParameterizedTest
	@MethodSource("noData")
	void isRefusedInAList(Object value) {
		assertRefused("args[1]", Arrays.asList("a", null, List.of(value)), "args[1][2][0]");
	}

	@ParameterizedTest
	@MethodSource("noData")
	void isRefusedInAMap(Object value) {
		assertRefused("meta", Map.of("a", Map.of("b.c", value)), "meta.a.b.c");
	}

	@ParameterizedTest
	@MethodSource("noData")
	void isRefusedInARecord(Object value) {
		assertRefused("args[0]", new Holder("x", value), "args[0].held");
	}

	@ParameterizedTest
	@MethodSource("noData")
	void isRefusedInAListOfRecordsInARecord(Object value) {
		assertRefused("args[0]", new Holder("x", List.of("y", new Holder("z", value))), "args[0].held[1].held");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d", "a\udc8cb" })
	void textThatUtf8CannotCarryIsRefusedAsAKeyToo(String key) {
		assertRefused("meta", Map.of(key, 1), "meta");
	}

	@Test
	void keysThatAreNoTextAreRefused() {
		Map<Object, Object> map = new HashMap<>();
		map.put(List.of(1), 1);
		assertRefused("args[0]", map, "args[0]");
		map.clear();
		map.put(null, 1);
		assertRefused("args[0]", map, "args[0]");
	}

	@Test
	void keysThatBecomeOneAreRefused() {
		Map<Object, Object> map = new LinkedHashMap<>();
		map.put(1, "number");
		map.put("1", "text");
		assertRefused("args[0]", map, "args[0]");
	}

	@Test
	void listThatContainsItselfIsRefused() {
		List<Object> list = new ArrayList<>();
		list.add(list);
		assertEndlessIsRefused(list);
	}

	@Test
	void mapThatContainsItselfIsRefused() {
		Map<String, Object> map = new HashMap<>();
		map.put("self", List.of(map));
		assertEndlessIsRefused(map);
	}

	@Test
	void beanThatContainsItselfIsRefused() {
		Node node = new Node();
		node.next = node;
		assertEndlessIsRefused(node);
	}

	@Test
	void beansThatContainEachOtherAreRefused() {
		Node one = new Node();
		Node two = new Node();
		one.next = two;
		two.next = one;
		assertEndlessIsRefused(one);
		assertEndlessIsRefused(new Holder("x", one));
	}

	@Test
	void beanInAListInThatBeanIsRefused() {
		List<Object> list = new ArrayList<>();
		list.add(new Holder("x", list));
		assertEndlessIsRefused(list);
	}

	@Test
	void whatIsNestedTooDeeplyIsRefusedWhateverIsAtTheBottom() {
		for (Object bottom : Arrays.asList("x", null, 1, new Holder("x", null))) {
			Object nested = bottom;
			for (int i = 0; i < 150; i++) {
				nested = Collections.singletonList(nested);
			}
			assertEndlessIsRefused(nested);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 99, 100, 101, 102 })
	void nullIsNoReasonToFailAtAnyDepth(int depth) {
		Object nested = null;
		for (int i = 0; i < depth; i++) {
			nested = Collections.singletonList(nested);
		}
		Object value = nested;
		try {
			assertThat(this.values.toJson("args[0]", value)).isEqualTo(value);
			assertThat(depth).isLessThanOrEqualTo(101);
		}
		catch (InvalidJobException ex) {
			assertThat(depth).isGreaterThan(100);
		}
	}

	@Test
	void messageSaysWhatWasThereAndWhatMayBe() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.values.toJson("args[0]", InputStream.nullInputStream()))
			.withMessageContainingAll("'args[0]'", "must be data that JSON can carry", "InputStream");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.values.toJson("meta.x", Double.NaN))
			.withMessage("Invalid job: 'meta.x' must be a finite number: JSON has no other, but was NaN.");
	}

	@Test
	void messageSaysWhatWasThereAndNotWhatItWasIn() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.values.toJson("args[0]", new Holder("x", Thread.currentThread())))
			.withMessageContaining("but was class java.lang.Thread.");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.values.fromJson("args[0]", Map.of("name", List.of(1), "held", 1), Holder.class))
			.withMessageContaining("'args[0].name' must fit java.lang.String (");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.values.fromJson("args[0]", List.of(1), Holder.class))
			.withMessageContaining("'args[0]' must fit " + Holder.class.getTypeName() + " (");
	}

	@Test
	void accessorThatThrowsIsAReasonAndNotACrash() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.values.toJson("args[0]", new Throwing(BigDecimal.ONE)))
			.withMessageContaining("out of order");
	}

	private void assertEndlessIsRefused(Object value) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.values.toJson("args[0]", value))
			.withMessageContaining("'args[0]")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(1500));
	}

	private void assertRefused(String field, Object value, String named) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.values.toJson(field, value))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(named));
	}

	record Holder(String name, @Nullable Object held) {
	}

	static final class Node {

		private @Nullable Node next;

		public @Nullable Node getNext() {
			return this.next;
		}

	}

	record Throwing(BigDecimal value) {

		@Override
		public BigDecimal value() {
			throw new IllegalStateException("out of order");
		}

	}

}
