package io.ojs.jdbc.internal.webhook;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.internal.Subscription;
import io.ojs.webhook.internal.WebhookStore;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Keeps subscriptions in a database.
 */
public final class JdbcWebhookStore implements WebhookStore {

	/**
	 * Name of the row of {@code ojs_feed} with the position up to which events were read.
	 */
	private static final String FEED = "webhooks";

	private static final String ALL = "id, tenant, url, events, filter, metadata, active, secret, previous_secret, "
			+ "previous_secret_until, created_at, updated_at";

	private static final List<Column> COLUMNS = List.of(Column.uuid("id"), Column.text("tenant"), Column.text("url"),
			Column.text("events"), Column.text("filter"), Column.text("metadata"), Column.bool("active"),
			Column.text("secret"), Column.text("previous_secret"), Column.time("previous_secret_until"),
			Column.time("created_at"), Column.time("updated_at"));

	private static final List<Column> KEY = COLUMNS.subList(0, 1);

	private static final List<Column> VALUES = COLUMNS.subList(1, COLUMNS.size());

	private final StoreDatabase database;

	/** The active subscriptions as they were read last; replaced as a whole. */
	private volatile Map<String, Webhook> active = Map.of();

	private final JsonText json = new JsonText();

	public JdbcWebhookStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public Optional<Subscription> find(String id) {
		return one(id, "");
	}

	@Override
	public Optional<Subscription> lock(String id) {
		return one(id, " for update");
	}

	private Optional<Subscription> one(String id, String lock) {
		UUID key = key(id);
		return (key == null) ? Optional.empty() : this.database.read("find a subscription",
				() -> select("where id = ?" + lock, key).stream().findFirst());
	}

	@Override
	public List<Webhook> list(@Nullable String tenant, long offset, int limit) {
		return this.database.read("list subscriptions",
				() -> (tenant != null)
						? webhooks("where tenant = ? order by id limit ? offset ?", tenant, limit, offset)
						: webhooks("order by id limit ? offset ?", limit, offset));
	}

	@Override
	public long count(@Nullable String tenant) {
		return this.database.read("count subscriptions",
				() -> (tenant != null) ? rows("where tenant = ?", tenant) : rows(""));
	}

	@Override
	public long countToInsert(@Nullable String tenant) {
		position();
		return this.database.read("count subscriptions", () -> {
			this.database.jdbc()
				.queryForObject("select feed_position from ojs_feed where name = ? for update", Long.class, FEED);
			return (tenant != null) ? rows("where tenant = ?", tenant) : rows("where tenant is null");
		});
	}

	private long rows(String where, Object... parameters) {
		return Objects.requireNonNull(this.database.jdbc()
			.queryForObject("select count(*) from ojs_webhook " + where, Long.class, parameters));
	}

	@Override
	public List<Webhook> active() {
		Map<String, Instant> now = this.database.read("list subscriptions", this::changes);
		Map<String, Webhook> before = this.active;
		if (!isSame(now, before)) {
			Map<String, Webhook> read = new LinkedHashMap<>();
			this.database.read("list subscriptions", () -> webhooks("where active order by id"))
				.forEach((webhook) -> read.put(webhook.id(), webhook));
			this.active = read;
			before = read;
		}
		return List.copyOf(before.values());
	}

	/** Reads less than the subscriptions, and nothing that has to be parsed. */
	private Map<String, Instant> changes() {
		Map<String, Instant> changes = new LinkedHashMap<>();
		this.database.jdbc()
			.query("select id, updated_at from ojs_webhook where active", (RowCallbackHandler) (row) -> changes
				.put(Webhook.ID_PREFIX + row.getObject("id", UUID.class), SqlTimes.instant(row, "updated_at")));
		return changes;
	}

	private static boolean isSame(Map<String, Instant> now, Map<String, Webhook> before) {
		return now.size() == before.size() && now.entrySet().stream().allMatch((each) -> {
			Webhook webhook = before.get(each.getKey());
			return webhook != null && webhook.updatedAt().equals(each.getValue());
		});
	}

	@Override
	public void insert(Subscription subscription) {
		this.database.read("keep a subscription", () -> {
			this.database.dialect().insert(this.database.jdbc(), "ojs_webhook", COLUMNS, List.of(row(subscription)));
			return subscription;
		});
	}

	@Override
	public void update(Subscription subscription) {
		this.database.read("change a subscription", () -> {
			this.database.dialect()
				.update(this.database.jdbc(), "ojs_webhook", KEY, VALUES, List.of(row(subscription)));
			return subscription;
		});
	}

	@Override
	public boolean delete(String id) {
		UUID key = key(id);
		return key != null && this.database.read("delete a subscription",
				() -> this.database.jdbc().update("delete from ojs_webhook where id = ?", key) > 0);
	}

	@Override
	public long position() {
		return this.database.read("look how far events were read", () -> {
			Optional<Long> known = known();
			if (known.isPresent()) {
				return known.get();
			}
			long end = this.database.events().end();
			this.database.dialect()
				.insertUnlessThere(this.database.jdbc(), "insert into ojs_feed (name, feed_position) values (?, ?)",
						FEED, end);
			return known().orElse(end);
		});
	}

	private Optional<Long> known() {
		return this.database.jdbc()
			.queryForList("select feed_position from ojs_feed where name = ?", Long.class, FEED)
			.stream()
			.findFirst();
	}

	@Override
	public boolean advance(long from, long to) {
		return this.database.read("note how far events were read", () -> this.database.jdbc()
			.update("update ojs_feed set feed_position = ? where name = ? and feed_position = ?", to, FEED, from) == 1);
	}

	private List<Webhook> webhooks(String rest, Object... parameters) {
		return select(rest, parameters).stream().map(Subscription::webhook).toList();
	}

	private List<Subscription> select(String rest, Object... parameters) {
		return this.database.jdbc()
			.query("select %s from ojs_webhook %s".formatted(ALL, rest), (row, index) -> subscription(row), parameters);
	}

	private Subscription subscription(ResultSet row) throws SQLException {
		return new Subscription(webhook(row), row.getString("secret"), row.getString("previous_secret"));
	}

	private Webhook webhook(ResultSet row) throws SQLException {
		Map<String, @Nullable Object> filter = this.json.readObject(row.getString("filter"));
		return new Webhook(Webhook.ID_PREFIX + row.getObject("id", UUID.class), row.getString("tenant"),
				row.getString("url"), strings(this.json.read(row.getString("events"))),
				new WebhookFilter(strings(filter.get("queues")), strings(filter.get("job_types"))),
				this.json.readObject(row.getString("metadata")), row.getBoolean("active"),
				SqlTimes.read(row, "previous_secret_until"), SqlTimes.instant(row, "created_at"),
				SqlTimes.instant(row, "updated_at"));
	}

	private static List<String> strings(@Nullable Object value) {
		List<String> strings = new ArrayList<>();
		if (value instanceof List<?> list) {
			list.forEach((element) -> strings.add(String.valueOf(element)));
		}
		return strings;
	}

	private Dialect.Row row(Subscription subscription) {
		Webhook webhook = subscription.webhook();
		Instant until = webhook.previousSecretUntil();
		return (column) -> switch (column) {
			case "id" -> key(webhook.id());
			case "tenant" -> webhook.tenant();
			case "url" -> webhook.url();
			case "events" -> this.json.write(webhook.events());
			case "filter" -> filter(webhook.filter());
			case "metadata" -> this.json.write(webhook.metadata());
			case "active" -> webhook.active();
			case "secret" -> subscription.secret();
			case "previous_secret" -> subscription.previousSecret();
			case "previous_secret_until" -> (until != null) ? Times.micros(until) : null;
			case "created_at" -> Times.micros(webhook.createdAt());
			case "updated_at" -> Times.micros(webhook.updatedAt());
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
	}

	private String filter(WebhookFilter filter) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("queues", filter.queues());
		object.put("job_types", filter.jobTypes());
		return this.json.write(object);
	}

	/**
	 * Returns the UUID in the id of a subscription; {@code null} if it cannot be such an
	 * id.
	 */
	private static @Nullable UUID key(String id) {
		try {
			UUID key = id.startsWith(Webhook.ID_PREFIX) ? UUID.fromString(id.substring(Webhook.ID_PREFIX.length()))
					: null;
			return (key != null && id.equals(Webhook.ID_PREFIX + key)) ? key : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
