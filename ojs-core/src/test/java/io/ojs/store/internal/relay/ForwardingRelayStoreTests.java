package io.ojs.store.internal.relay;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a relay store that changes nothing asks of the one behind it.
 */
class ForwardingRelayStoreTests {

	private static final Map<Class<?>, Object> VALUES = Map.of(Instant.class, Instant.EPOCH, int.class, 7, String.class,
			"mail", Map.class, Map.of("job", Instant.MAX), Collection.class, List.of("job"), Predicate.class,
			(Predicate<String>) "mail"::equals, Optional.class, Optional.of(Instant.MAX), List.class, List.of(),
			RelayStore.Taken.class, new RelayStore.Taken(List.of(), 5));

	private String asked = "";

	private Object[] arguments = {};

	private final RelayStore behind = (RelayStore) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { RelayStore.class }, (proxy, method, values) -> {
				this.asked = method.getName();
				this.arguments = values;
				return VALUES.get(method.getReturnType());
			});

	private final RelayStore store = new ForwardingRelayStore(this.behind) {
	};

	static Stream<Method> methods() {
		return Arrays.stream(RelayStore.class.getMethods());
	}

	@ParameterizedTest
	@MethodSource("methods")
	void asksTheSameOfTheStoreBehindIt(Method method) throws Exception {
		Object[] values = Arrays.stream(method.getParameterTypes()).map(VALUES::get).toArray();
		Object answer = method.invoke(this.store, values);
		assertThat(this.asked).isEqualTo(method.getName());
		assertThat((this.arguments != null) ? this.arguments : new Object[0]).containsExactly(values);
		assertThat(answer).isEqualTo(VALUES.get(method.getReturnType()));
	}

}
