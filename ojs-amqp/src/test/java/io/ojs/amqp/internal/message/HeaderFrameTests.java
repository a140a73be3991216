package io.ojs.amqp.internal.message;

import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A frame is refused exactly if the client cannot write it, or it is too long, whether
 * that is seen at a glance or not.
 */
class HeaderFrameTests {

	/** The least that a connection can agree on. */
	private static final int SMALLEST = 4096;

	@ParameterizedTest
	@MethodSource
	void isRefusedIfItCannotBeSentAndOnlyThen(BasicProperties properties) {
		if (isSendable(properties)) {
			HeaderFrame.check(properties, SMALLEST);
		}
		else {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> HeaderFrame.check(properties, SMALLEST));
		}
	}

	private static boolean isSendable(BasicProperties properties) {
		try {
			return properties.toFrame(0, 0).size() <= SMALLEST;
		}
		catch (Exception ex) {
			return false;
		}
	}

	static Stream<BasicProperties> isRefusedIfItCannotBeSentAndOnlyThen() {
		return Stream.concat(Stream.of(true, false).flatMap(HeaderFrameTests::texts), headers());
	}

	/** Each property of a length that fits by a little, or does not. */
	private static Stream<BasicProperties> texts(boolean ascii) {
		int[] lengths = ascii ? new int[] { 0, 84, 85, 86, 254, 255, 256 } : new int[] { 84, 85, 86, 127, 128 };
		return Arrays.stream(lengths).mapToObj((length) -> (ascii ? "a" : "€").repeat(length)).flatMap((text) -> {
			List<Consumer<BasicProperties.Builder>> all = List.of((to) -> to.contentType(text),
					(to) -> to.contentEncoding(text), (to) -> to.correlationId(text), (to) -> to.replyTo(text),
					(to) -> to.expiration(text), (to) -> to.messageId(text), (to) -> to.type(text),
					(to) -> to.userId(text), (to) -> to.appId(text), (to) -> to.clusterId(text),
					(to) -> to.headers(Map.of(text, 1)));
			return all.stream().map(HeaderFrameTests::properties);
		});
	}

	private static Stream<BasicProperties> headers() {
		List<@Nullable Object> values = Arrays.asList(1, 1L, (short) 1, (byte) 1, 1.0, true, null, new Date(), "",
				"€".repeat(1_300), "€".repeat(1_400), "a".repeat(3_900), "a".repeat(4_200), List.of("a", 1),
				List.of(new StringBuilder("a")), Map.of("a", "b"), new byte[4_200], new StringBuilder("a"));
		Stream<BasicProperties> single = values.stream()
			.map((value) -> properties((to) -> to.headers(Collections.singletonMap("x", value))));
		Stream<BasicProperties> many = Stream.of(1, 10, 100, 200, 250, 300, 1_000).map((count) -> {
			Map<String, Object> headers = new LinkedHashMap<>();
			for (int i = 0; i < count; i++) {
				headers.put("x-header-" + i, i);
			}
			return properties((to) -> to.headers(headers));
		});
		Map<String, Object> noName = new HashMap<>();
		noName.put(null, 1);
		return Stream.of(single, many, Stream.of(properties((to) -> to.headers(noName)))).flatMap((each) -> each);
	}

	private static BasicProperties properties(Consumer<BasicProperties.Builder> what) {
		BasicProperties.Builder builder = new BasicProperties.Builder().deliveryMode(2).timestamp(new Date());
		what.accept(builder);
		return builder.build();
	}

}
