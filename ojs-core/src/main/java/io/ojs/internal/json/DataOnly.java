package io.ojs.internal.json;

import java.io.Closeable;
import java.io.Serial;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Rejects objects that are not data, such as streams and threads, anywhere in a value.
 * Jackson would serialize some of them, without any use.
 */
final class DataOnly extends ValueSerializerModifier {

	@Serial
	private static final long serialVersionUID = 1L;

	private static final List<Class<?>> LIVE = List.of(Closeable.class, AutoCloseable.class, Thread.class,
			ClassLoader.class, Class.class, Throwable.class, Iterator.class, BaseStream.class, Future.class,
			Runnable.class);

	@Override
	public ValueSerializer<?> modifySerializer(SerializationConfig config, BeanDescription.Supplier bean,
			ValueSerializer<?> serializer) {
		return isLive(bean.getBeanClass()) ? new Refusal() : serializer;
	}

	private static boolean isLive(Class<?> type) {
		// Lambdas are hidden classes. Enums are data, whatever interfaces they implement.
		return type.isHidden() || (!Enum.class.isAssignableFrom(type)
				&& LIVE.stream().anyMatch((live) -> live.isAssignableFrom(type)));
	}

	private static final class Refusal extends ValueSerializer<Object> {

		@Override
		public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
			context.reportBadDefinition(context.constructType(value.getClass()), "it is alive");
		}

	}

}
