package io.ojs.handler.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandler;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method as a handler: the elements of {@code args} become its parameters, in
 * order.
 */
public final class MethodJobHandler implements JobHandler {

	/** The words before the reason, if there is one. */
	private static final String BRINGS = "cannot take what the job brings. ";

	private final Method method;

	private final Invoker invoker;

	private final Parameter[] parameters;

	private final JsonValues values;

	private final int required;

	private final int positional;

	public MethodJobHandler(Method method, Invoker invoker, JsonValues values) {
		this.method = method;
		this.invoker = invoker;
		this.parameters = method.getParameters();
		this.values = values;
		List<Parameter> arguments = arguments();
		this.positional = arguments.size();
		this.required = required(arguments);
	}

	/** How many arguments a job must have: Optionals at the end may be missing. */
	private static int required(List<Parameter> arguments) {
		int required = arguments.size();
		while (required > 0 && arguments.get(required - 1).getType() == Optional.class) {
			required--;
		}
		return required;
	}

	private static boolean isArgument(Parameter parameter) {
		return parameter.getType() != JobContext.class && parameter.getType() != Job.class;
	}

	/**
	 * The parameters that take the elements of {@code args}.
	 * @return the parameters of the method, without the context and the job
	 */
	public List<Parameter> arguments() {
		return Arrays.stream(this.parameters).filter(MethodJobHandler::isArgument).toList();
	}

	@Override
	public @Nullable Object handle(JobContext context) throws Exception {
		@Nullable Object[] arguments = bind(context);
		try {
			return this.invoker.invoke(arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof Exception cause) {
				throw cause;
			}
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

	private @Nullable Object[] bind(JobContext context) {
		List<@Nullable Object> args = context.job().args();
		if (args.size() < this.required || args.size() > this.positional) {
			throw new ArgumentMismatchException(
					"%s takes %s, but 'args' has %d.".formatted(signature(), count(), args.size()), null);
		}
		@Nullable Object[] bound = new Object[this.parameters.length];
		int position = 0;
		for (int i = 0; i < bound.length; i++) {
			Class<?> type = this.parameters[i].getType();
			if (type == JobContext.class) {
				bound[i] = context;
			}
			else if (type == Job.class) {
				bound[i] = context.job();
			}
			else {
				// A missing argument binds like null: only Optionals can be missing.
				Object value = (position < args.size()) ? args.get(position) : null;
				bound[i] = convert(position++, value, this.parameters[i]);
			}
		}
		return bound;
	}

	private String count() {
		String range = (this.required < this.positional) ? this.required + " to " + this.positional
				: Integer.toString(this.positional);
		return range + ((this.positional == 1) ? " argument" : " arguments");
	}

	private @Nullable Object convert(int position, @Nullable Object value, Parameter parameter) {
		Type type = parameter.getParameterizedType();
		try {
			return this.values.fromJson("args[" + position + "]", value, type);
		}
		catch (InvalidJobException ex) {
			throw new ArgumentMismatchException(
					"Parameter '%s' of %s %s%s".formatted(parameter.getName(), signature(), BRINGS, ex.getMessage()),
					ex);
		}
	}

	private String signature() {
		return Arrays.stream(this.parameters)
			.filter(MethodJobHandler::isArgument)
			.map((parameter) -> parameter.getType().getSimpleName() + " " + parameter.getName())
			.collect(Collectors.joining(", ",
					this.method.getDeclaringClass().getSimpleName() + "." + this.method.getName() + "(", ")"));
	}

	/**
	 * Calls the method on its object.
	 */
	@FunctionalInterface
	public interface Invoker {

		/**
		 * Calls the method.
		 * @throws ReflectiveOperationException as
		 * {@link Method#invoke(Object, Object...)} does
		 */
		@Nullable Object invoke(@Nullable Object[] arguments) throws ReflectiveOperationException;

	}

	/**
	 * Copies an exception without the values of arguments.
	 * @return an exception that shows {@value JobEncryption#PLACEHOLDER} instead
	 */
	public static ArgumentMismatchException hidden(ArgumentMismatchException mismatch) {
		if (!(mismatch.getCause() instanceof InvalidJobException reason)) {
			return mismatch;
		}
		String message = String.valueOf(mismatch.getMessage());
		int end = message.indexOf(BRINGS);
		return new ArgumentMismatchException(((end >= 0) ? message.substring(0, end + BRINGS.length()) : "")
				+ JobEncryption.hidden(reason).getMessage(), null);
	}

}
