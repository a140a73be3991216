package io.ojs.amqp.internal.contract;

import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Collectors;

import io.ojs.handler.JobHandler;
import io.ojs.handler.internal.MethodJobHandler;

/**
 * Describes the arguments of a handler for the contract of its queue.
 */
final class Arguments {

	private Arguments() {
	}

	static String of(JobHandler handler) {
		if (!(handler instanceof MethodJobHandler method)) {
			return "any";
		}
		if (method.arguments().isEmpty()) {
			return "none";
		}
		return method.arguments().stream().map(Arguments::of).collect(Collectors.joining("<br>"));
	}

	private static String of(Parameter parameter) {
		Class<?> type = parameter.getType();
		String fields = type.isRecord() ? Arrays.stream(type.getRecordComponents())
			.map(Arguments::of)
			.collect(Collectors.joining(", ", " {", "}")) : "";
		return "`" + parameter.getName() + ": " + name(parameter.getParameterizedType()) + fields + "`" + values(type);
	}

	private static String of(RecordComponent component) {
		return component.getName() + ": " + name(component.getGenericType());
	}

	private static String values(Class<?> type) {
		return type.isEnum() ? Arrays.stream(type.getEnumConstants())
			.map((constant) -> "`" + ((Enum<?>) constant).name() + "`")
			.collect(Collectors.joining(", ", " (", ")")) : "";
	}

	/** Without packages, which mean nothing to readers who use another language. */
	private static String name(Type type) {
		return type.getTypeName().replaceAll("[\\w.]*[.$](\\w+)", "$1");
	}

}
