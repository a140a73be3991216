package io.ojs.web.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.json.JsonPath;
import io.ojs.job.Job;
import io.ojs.tenant.Tenants;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.TenantAccess;
import org.jspecify.annotations.Nullable;

/**
 * One request to an endpoint.
 */
public final class HttpCall {

	private static final String NUL = "\\u0000";

	private final JsonObjects objects = new JsonObjects();

	private final Map<String, String> variables;

	private final HttpQuery query;

	private final byte[] body;

	private final Map<String, String> headers;

	private final String requestId;

	private final Instant now;

	private final @Nullable String tenant;

	private final Caller caller;

	HttpCall(Map<String, String> variables, HttpQuery query, byte[] body, Map<String, String> headers, String requestId,
			Instant now, @Nullable String tenant, Caller caller) {
		this.variables = variables;
		this.query = query;
		this.body = body;
		this.headers = headers;
		this.requestId = requestId;
		this.now = now;
		this.tenant = tenant;
		this.caller = caller;
	}

	/**
	 * Whether the caller has a right beside the one that the endpoint needs.
	 * @param access the right, not {@link Access#PUBLIC}
	 * @return whether the caller has the right
	 */
	public boolean may(Access access) {
		return this.caller.rights().test(access);
	}

	/**
	 * The name by which the application knows the caller.
	 * @return the name; {@code null} if the caller is anonymous
	 */
	public @Nullable String caller() {
		return this.caller.name();
	}

	/** The tenants for which the caller may make requests. */
	public TenantAccess.Scope tenants() {
		return this.caller.tenants().get();
	}

	/**
	 * The tenant that the request is made for (OJS Multi-Tenancy §5.3).
	 * @return the id of the only tenant whose jobs the caller may see; {@code null} if
	 * the caller may see all jobs
	 */
	public @Nullable String tenant() {
		return this.tenant;
	}

	/**
	 * Whether the caller may see a job.
	 * @return whether the request is made for the job's tenant, or for all tenants
	 */
	public boolean sees(Job job) {
		return this.tenant == null || this.tenant.equals(Tenants.of(job).orElse(null));
	}

	/**
	 * The value of a variable of the path.
	 * @throws HttpFailure with 400 if the text contains U+0000
	 */
	public String path(String variable) {
		String value = this.variables.get(variable);
		if (value == null) {
			throw new IllegalArgumentException("The path has no variable '%s'.".formatted(variable));
		}
		return HttpQuery.checked(variable, value);
	}

	/** The query parameters. */
	public HttpQuery query() {
		return this.query;
	}

	/**
	 * The value of a header.
	 * @return its value; {@code null} if there is none
	 */
	public @Nullable String header(String name) {
		return this.headers.get(name);
	}

	/**
	 * The body.
	 * @return a JSON object with values of JSON's own types
	 * @throws io.ojs.job.UndecodableJobException if the body is not a JSON object
	 * @throws HttpFailure with 400 if text in the body contains U+0000
	 */
	public Map<String, @Nullable Object> body() {
		Map<String, @Nullable Object> object = this.objects.read(this.body);
		if (mayHaveNul()) {
			refuseNul(new JsonPath(""), object);
		}
		return object;
	}

	/**
	 * Whether the body may contain U+0000, which JSON text can only have as an escape.
	 */
	private boolean mayHaveNul() {
		int matched = 0;
		for (byte b : this.body) {
			matched = (b == NUL.charAt(matched)) ? matched + 1 : (b == NUL.charAt(0)) ? 1 : 0;
			if (matched == NUL.length()) {
				return true;
			}
		}
		return false;
	}

	/** Refuses text with U+0000, which databases do not store. */
	private static void refuseNul(JsonPath path, @Nullable Object value) {
		if (value instanceof String text && text.indexOf(0) >= 0) {
			throw HttpFailure.invalid(path.toString(), text, "must not contain the character U+0000");
		}
		if (value instanceof List<?> list) {
			for (int i = 0; i < list.size(); i++) {
				path.enter(i);
				refuseNul(path, list.get(i));
				path.leave();
			}
		}
		if (value instanceof Map<?, ?> object) {
			object.forEach((name, member) -> {
				refuseNul(path, name);
				path.enter((String) name);
				refuseNul(path, member);
				path.leave();
			});
		}
	}

	/**
	 * The body, if there is one.
	 * @return a JSON object with values of JSON's own types; empty without a body
	 * @throws io.ojs.job.UndecodableJobException if the body is not a JSON object
	 * @throws HttpFailure with 400 if text in the body contains U+0000
	 */
	public Map<String, @Nullable Object> bodyIfAny() {
		return (this.body.length > 0) ? body() : Map.of();
	}

	/**
	 * The fields of the body, to be taken one by one.
	 * @return the fields; a field with a wrong value is answered with 400
	 */
	public JsonFields fields() {
		return new JsonFields(body(), (field, value, problem, cause) -> HttpFailure.invalid(field, value, problem));
	}

	/**
	 * The fields of the body, if there is one.
	 * @return the fields; none without a body
	 */
	public JsonFields fieldsIfAny() {
		return new JsonFields(bodyIfAny(),
				(field, value, problem, cause) -> HttpFailure.invalid(field, value, problem));
	}

	/**
	 * The id of this request.
	 * @return the id that the caller has sent, or a new one
	 */
	public String requestId() {
		return this.requestId;
	}

	/** When the request was received. */
	public Instant now() {
		return this.now;
	}

	/**
	 * Who calls.
	 *
	 * @param name its name; {@code null} if it is anonymous
	 * @param rights which rights it has
	 * @param tenants for which tenants it may make requests
	 */
	record Caller(@Nullable String name, Predicate<Access> rights, Supplier<TenantAccess.Scope> tenants) {
	}

}
