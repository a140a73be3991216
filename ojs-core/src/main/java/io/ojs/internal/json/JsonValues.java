package io.ojs.internal.json;

import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variant;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Converts Java values to JSON values and back, for {@code args} and {@code meta} (OJS
 * JSON Format §3.3, §4).
 *
 * <p>
 * Strings, booleans, numbers, {@code null}, enums, dates, UUIDs, records and beans, and
 * lists, arrays and maps of these can be converted. Streams, threads, open files,
 * lambdas, {@code NaN} and objects that contain themselves are rejected; the exception
 * has their path. Whole numbers beyond 2<sup>53</sup>−1 become strings (§4.2) and are
 * read back as numbers. Byte arrays become base64url (§7).
 */
public final class JsonValues {

	private static final int MAX_DEPTH = 100;

	private static final long MAX_SAFE_INTEGER = (1L << 53) - 1;

	/** OJS JSON Format §7. */
	private static final Base64Variant BASE64_URL = Base64Variants.MODIFIED_FOR_URL
		.withReadPadding(Base64Variant.PaddingReadBehaviour.PADDING_ALLOWED);

	/** How many steps of the path to an invalid value are shown. */
	private static final int MAX_PATH = 12;

	private final JsonMapper mapper;

	public JsonValues(JsonMapper mapper) {
		this.mapper = mapper.rebuild()
			.addModule(new SimpleModule("ojs-data-only").setSerializerModifier(new DataOnly()))
			.defaultBase64Variant(BASE64_URL)
			.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.FAIL_ON_SELF_REFERENCES)
			.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			// 1.5 for an int parameter is a mistake, not a 1.
			.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.build();
	}

	/**
	 * Converts a value to JSON.
	 * @param field the path of the value, for errors
	 * @return a string, number, boolean, {@code null}, list or map
	 * @throws InvalidJobException if the value cannot be converted
	 */
	public @Nullable Object toJson(String field, @Nullable Object value) {
		return toJson(new JsonPath(field), value, 0);
	}

	/**
	 * Converts values to JSON.
	 * @param field the path of the array that contains them, for errors
	 * @return the JSON values, in a modifiable list
	 * @throws InvalidJobException if one of them cannot be converted
	 */
	public List<@Nullable Object> toJsonArray(String field, Collection<? extends @Nullable Object> values) {
		return array(new JsonPath(field), values, -1);
	}

	private @Nullable Object toJson(JsonPath path, @Nullable Object value, int depth) {
		if (value == null || value instanceof Boolean) {
			return value;
		}
		if (depth > MAX_DEPTH) {
			throw new InvalidJobException(path.toString(), value.getClass().getName(),
					"must not be nested deeper than %d levels (does it contain itself?)".formatted(MAX_DEPTH));
		}
		// Most values are of these classes, and a check for a class is faster than one
		// for an interface.
		if (value instanceof String text) {
			return text(path, text);
		}
		if (value instanceof Number number && isPlain(number)) {
			return number(path, number);
		}
		if (value instanceof ArrayList<?> list) {
			return array(path, list, depth);
		}
		if (value instanceof HashMap<?, ?> map) {
			return object(path, map, depth);
		}
		if (value instanceof Collection<?> collection) {
			return array(path, collection, depth);
		}
		if (value instanceof Map<?, ?> map) {
			return object(path, map, depth);
		}
		if (value instanceof CharSequence || value instanceof Character || value instanceof UUID) {
			return text(path, value.toString());
		}
		if (value instanceof byte[] bytes) {
			return BASE64_URL.encode(bytes);
		}
		if (value.getClass().isArray()) {
			return array(path, elements(value), depth);
		}
		return bean(path, value, depth);
	}

	private static String text(JsonPath path, String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
				i++;
			}
			else if (Character.isSurrogate(c)) {
				throw new InvalidJobException(path.toString(), "\\u%04x at %d".formatted((int) c, i),
						"must be text that UTF-8 can carry, without half a surrogate pair");
			}
		}
		return text;
	}

	private static boolean isPlain(Number number) {
		return number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte
				|| number instanceof Double || number instanceof Float || number instanceof BigInteger
				|| number instanceof BigDecimal;
	}

	private static Object number(JsonPath path, Number number) {
		if (number instanceof BigDecimal) {
			return number;
		}
		if (number instanceof Double || number instanceof Float) {
			if (!Double.isFinite(number.doubleValue())) {
				throw new InvalidJobException(path.toString(), number, "must be a finite number: JSON has no other");
			}
			return new BigDecimal(number.toString());
		}
		if (number instanceof BigInteger big && big.bitLength() > 53) {
			return big.toString();
		}
		long whole = number.longValue();
		if (whole == (int) whole) {
			return (int) whole;
		}
		return (Math.abs(whole) <= MAX_SAFE_INTEGER && whole != Long.MIN_VALUE) ? (Object) whole : Long.toString(whole);
	}

	private Map<String, @Nullable Object> object(JsonPath path, Map<?, ?> map, int depth) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>(map.size() * 4 / 3 + 1);
		map.forEach((key, value) -> {
			String name = key(path, key);
			if (object.containsKey(name)) {
				throw new InvalidJobException(path.toString(), name, "must not have two keys that are one in JSON");
			}
			path.enter(name);
			object.put(name, toJson(path, value, depth + 1));
			path.leave();
		});
		return object;
	}

	private String key(JsonPath path, @Nullable Object key) {
		if (key instanceof Enum && bean(path, key, 0) instanceof String name) {
			return name;
		}
		if (key instanceof CharSequence || key instanceof UUID || (key instanceof Number number && isPlain(number))) {
			return text(path, key.toString());
		}
		throw new InvalidJobException(path.toString(), (key != null) ? "a key of " + key.getClass().getName() : null,
				"must be a map whose keys are strings");
	}

	private List<@Nullable Object> array(JsonPath path, Collection<? extends @Nullable Object> values, int depth) {
		List<@Nullable Object> array = new ArrayList<>(values.size());
		for (Object value : values) {
			path.enter(array.size());
			array.add(toJson(path, value, depth + 1));
			path.leave();
		}
		return array;
	}

	private static List<@Nullable Object> elements(Object array) {
		List<@Nullable Object> elements = new ArrayList<>();
		for (int i = 0; i < Array.getLength(array); i++) {
			elements.add(Array.get(array, i));
		}
		return elements;
	}

	private @Nullable Object bean(JsonPath path, Object value, int depth) {
		try {
			JsonNode tree = (value instanceof JsonNode node) ? node : this.mapper.valueToTree(value);
			return toJson(path, this.mapper.treeToValue(tree, Object.class), depth + 1);
		}
		catch (JacksonException ex) {
			Class<?> culprit = (ex instanceof InvalidDefinitionException bad && bad.getType() != null)
					? bad.getType().getRawClass() : value.getClass();
			throw notData(path + path(ex), culprit, " (" + ex.getOriginalMessage() + ")", ex);
		}
		catch (IllegalArgumentException ex) {
			throw notData(path.toString(), value.getClass(), "", ex);
		}
	}

	private static String path(JacksonException ex) {
		StringBuilder path = new StringBuilder();
		ex.getPath()
			.stream()
			.limit(MAX_PATH)
			.forEach((step) -> path
				.append((step.getPropertyName() != null) ? "." + step.getPropertyName() : "[" + step.getIndex() + "]"));
		return path.append((ex.getPath().size() > MAX_PATH) ? "…" : "").toString();
	}

	private static InvalidJobException notData(String field, Class<?> type, String reason, Exception cause) {
		return new InvalidJobException(field, type, "must be data that JSON can carry: text, number, "
				+ "boolean, null, list, map, record or bean" + reason, cause);
	}

	/**
	 * Converts a JSON value to a Java type.
	 * @param field the path of the value, for errors
	 * @param value a string, number, boolean, {@code null}, list or map
	 * @throws InvalidJobException if the value does not fit the type
	 */
	public <T> @Nullable T fromJson(String field, @Nullable Object value, Type type) {
		try {
			return this.mapper.convertValue(value, this.mapper.constructType(type));
		}
		catch (MismatchedInputException ex) {
			Type target = (ex.getTargetType() != null && !ex.getPath().isEmpty()) ? ex.getTargetType() : type;
			Object culprit = (ex instanceof InvalidFormatException bad) ? bad.getValue() : value;
			throw misfit(field + path(ex), culprit, target, ex.getOriginalMessage(), ex);
		}
		catch (JacksonException ex) {
			throw misfit(field + path(ex), value, type, ex.getOriginalMessage(), ex);
		}
		catch (IllegalArgumentException ex) {
			throw misfit(field, value, type, ex.getMessage(), ex);
		}
	}

	private static InvalidJobException misfit(String field, @Nullable Object value, Type type, @Nullable String reason,
			Exception cause) {
		return new InvalidJobException(field, value, "must fit %s (%s)".formatted(type.getTypeName(), reason), cause);
	}

}
