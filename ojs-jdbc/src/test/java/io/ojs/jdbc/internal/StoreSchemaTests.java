package io.ojs.jdbc.internal;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.ojs.event.StoredEvent;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.jdbc.internal.event.JdbcEventFeed;
import io.ojs.jdbc.internal.relay.JdbcRelayStore;
import io.ojs.jdbc.internal.schema.StoreSchema;
import io.ojs.jdbc.internal.webhook.JdbcWebhookStore;
import io.ojs.job.JobQuery;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.UnsupportedDatabaseException;
import io.ojs.store.internal.Retention;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoreSchemaTests {

	private static final Retention RETENTION = new Retention(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1),
			Duration.ofDays(1));

	private final DataSource h2 = new DriverManagerDataSource(
			"jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));

	@Test
	void mayBeMigratedAnyNumberOfTimes() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2,
					new DriverManagerDataSource(database.url(), database.username(), database.password()) }) {
				new StoreSchema(dataSource).migrate();
				new StoreSchema(dataSource).migrate();
				assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from ojs_feed", Integer.class))
					.isEqualTo(1);
			}
		}
	}

	@Test
	void needsNobodyToCommitIt() {
		try (var database = PostgresServer.shared().newDatabase();
				HikariDataSource dataSource = new HikariDataSource()) {
			dataSource.setJdbcUrl(database.url());
			dataSource.setUsername(database.username());
			dataSource.setPassword(database.password());
			dataSource.setAutoCommit(false);
			new StoreSchema(dataSource).migrate();
			assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from ojs_job", Integer.class))
				.isZero();
		}
	}

	@Test
	void manyInstancesMayMigrateAtTheSameTime() throws Exception {
		try (var database = PostgresServer.shared().newDatabase()) {
			DataSource dataSource = new DriverManagerDataSource(database.url(), database.username(),
					database.password());
			Threads.together(6, (thread) -> new StoreSchema(dataSource).migrate());
			assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from ojs_job", Integer.class))
				.isZero();
		}
	}

	@Test
	void anotherDatabaseIsRefusedWithThoseThatAreNot() {
		DataSource oracle = new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				return named(StoreSchemaTests.this.h2.getConnection(), "Oracle");
			}

			@Override
			public Connection getConnection(String username, String password) throws SQLException {
				return getConnection();
			}

		};
		assertThatExceptionOfType(UnsupportedDatabaseException.class)
			.isThrownBy(() -> new StoreSchema(oracle).migrate())
			.withMessageContaining("Oracle")
			.withMessageContaining("PostgreSQL, H2");
		assertThatExceptionOfType(UnsupportedDatabaseException.class)
			.isThrownBy(() -> new StoreSchema(oracle).missing());
	}

	@Test
	void lookingAtADatabaseLeavesItAsItIs() {
		DataSource empty = new DriverManagerDataSource("jdbc:h2:mem:empty;DB_CLOSE_DELAY=-1");
		assertThat(new StoreSchema(empty).missing()).containsExactly("io/ojs/jdbc/migration/h2/V1__baseline.sql",
				"io/ojs/jdbc/migration/h2/V2__events_together.sql", "io/ojs/jdbc/migration/h2/V3__marks.sql",
				"io/ojs/jdbc/migration/h2/V4__names.sql", "io/ojs/jdbc/migration/h2/V5__operators.sql");
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> new JdbcJobStore(database(empty)).list(JobQuery.first(1)))
			.withMessageContaining("ojs.store.initialize-schema=always");
	}

	@Test
	void tablesOfAnotherVersionAreNamedAsSuch() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2,
					new DriverManagerDataSource(database.url(), database.username(), database.password()) }) {
				new StoreSchema(dataSource).migrate();
				new JdbcTemplate(dataSource).execute("alter table ojs_job drop column relay_at");
				JdbcRelayStore relay = new JdbcRelayStore(database(dataSource));
				assertOfAnotherVersion(relay::nextAt);
			}
		}
	}

	@Test
	void tablesFromBeforeMigrationsKeepTheirRows() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2, of(database) }) {
				JdbcTemplate jdbc = baseline(dataSource);
				jdbc.execute("insert into ojs_queue (name, state, config, created_at, updated_at, version) "
						+ "values ('mail', 'paused', '{}', current_timestamp, current_timestamp, 7)");
				jdbc.execute("drop table ojs_schema");
				assertThat(new StoreSchema(dataSource).missing()).hasSameSizeAs(StoreSchema.MIGRATIONS);
				new StoreSchema(dataSource).migrate();
				assertThat(new StoreSchema(dataSource).missing()).isEmpty();
				assertThat(jdbc.queryForObject("select version from ojs_queue where name = 'mail'", Integer.class))
					.isEqualTo(7);
			}
		}
	}

	@Test
	void eventsFromBeforeTheyWereWrittenTogetherStayInTheFeed() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2, of(database) }) {
				JdbcTemplate jdbc = baseline(dataSource);
				for (Object[] event : List.of(new Object[] { 1, "evt_1", null, "{\"n\":1}" },
						new Object[] { 2, "evt_2", "acme", "{\"text\":\"\\u0000 \\\"é\\\"\"}" },
						new Object[] { null, "evt_3", null, "{}" })) {
					jdbc.update("insert into ojs_event (feed_position, id, type, source, occurred_at, subject, queue, "
							+ "tenant, data) values (?, ?, 'job.enqueued', 'ojs://before', current_timestamp, 's', 'q', ?, ?)",
							event);
				}
				jdbc.update("update ojs_feed set feed_position = 2 where name = 'events'");
				jdbc.update("insert into ojs_feed (name, feed_position) values ('webhooks', 1)");
				new StoreSchema(dataSource).migrate();
				JdbcEventFeed feed = new JdbcEventFeed(database(dataSource));
				List<StoredEvent> events = feed.after(0, Set.of(), Set.of(), 10);
				assertThat(events).extracting(StoredEvent::id).containsExactly("evt_1", "evt_2", "evt_3");
				assertThat(events).extracting(StoredEvent::tenant).containsExactly(null, "acme", null);
				assertThat(events).extracting(StoredEvent::data)
					.containsExactly(Map.of("n", 1), Map.of("text", "\0 \"é\""), Map.of());
				assertThat(events.get(0).source()).isEqualTo("ojs://before");
				long read = new JdbcWebhookStore(database(dataSource)).position();
				assertThat(feed.after(read, Set.of(), Set.of(), 10)).as("what webhooks have not been told")
					.extracting(StoredEvent::id)
					.containsExactly("evt_2", "evt_3");
			}
		}
	}

	@Test
	void jobsFromBeforeTheirMarksKeepTheirPlaces() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2, of(database) }) {
				JdbcTemplate jdbc = baseline(dataSource);
				before(jdbc, "running", "state = 'active', rate_key = 'k', lease_until = current_timestamp");
				before(jdbc, "plain", "state = 'active'");
				before(jdbc, "of a tenant", "state = 'active', tenant = 'acme', held_back = false");
				before(jdbc, "let through", "rate_key = 'k', rate_granted = true, waiting_until = current_timestamp");
				before(jdbc, "waiting", "rate_key = 'k', waiting_for = 'k', waiting_until = current_timestamp, "
						+ "waiting_rank = 3, held_back = true");
				before(jdbc, "cancelled",
						"state = 'cancelled', ended_at = current_timestamp, rate_key = 'k', waiting_for = 'k', rate_granted = true, "
								+ "waiting_until = current_timestamp, waiting_rank = 3, held_back = true");
				new StoreSchema(dataSource).migrate();
				assertThat(jdbc.queryForList("select type from ojs_job where has_places order by type", String.class))
					.containsExactly("let through", "of a tenant", "running");
				assertThat(jdbc.queryForList("select type from ojs_job where blocked_until is not null order by type",
						String.class))
					.containsExactly("let through", "waiting");
				assertThat(jdbc.queryForList(
						"select type from ojs_job where blocked_by = 'k' and blocked_rank = 3 and awaits_turn",
						String.class))
					.containsExactly("waiting");
				assertThat(jdbc.queryForList("select type from ojs_job where fetchable order by type", String.class))
					.containsExactly("let through", "waiting");
				assertThat(jdbc.queryForList("select type from ojs_job where ended_as = 'cancelled'", String.class))
					.containsExactly("cancelled");
				assertThat(jdbc.queryForList("select type from ojs_job where relay_at = lease_until", String.class))
					.containsExactly("running");
				assertThat(
						jdbc.queryForObject("select count(*) from ojs_job where awaits_turn is not null", Long.class))
					.isOne();
			}
		}
	}

	private static void before(JdbcTemplate jdbc, String type, String columns) {
		jdbc.update("insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, "
				+ "created_at, enqueued_at, envelope) values (?, ?, 'q', 'available', 0, 0, 3, 0, 2, current_timestamp, "
				+ "current_timestamp, '{}')", UUID.randomUUID(), type);
		jdbc.update("update ojs_job set " + columns + " where type = ?", type);
	}

	/** The tables as the first migration leaves them. */
	private static JdbcTemplate baseline(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		String folder = Boolean.TRUE
			.equals(jdbc.execute((ConnectionCallback<Boolean>) (connection) -> Dialect.of(connection) == Dialect.H2))
					? "h2" : "postgresql";
		new ResourceDatabasePopulator(new ClassPathResource(
				"io/ojs/jdbc/migration/%s/%s.sql".formatted(folder, StoreSchema.MIGRATIONS.get(0))))
			.execute(dataSource);
		return jdbc;
	}

	@Test
	void indexesThatThePageLetsAnAdministratorBuildBeforeAreNotBuiltAgain() throws IOException {
		String page = Files.readString(Path.of("../src/docs/store-database.md"));
		String before = page.substring(page.indexOf("```sql\nalter table ojs_job\n") + 7);
		String indexes = "select indexdef || indexrelid from pg_indexes join pg_index on indexrelid = indexname::regclass "
				+ "where tablename in ('ojs_job', 'ojs_event', 'ojs_workflow_job')";
		try (var database = PostgresServer.shared().newDatabase(); var other = PostgresServer.shared().newDatabase()) {
			DataSource dataSource = of(database);
			JdbcTemplate jdbc = baseline(dataSource);
			for (String name : StoreSchema.MIGRATIONS.subList(1, 4)) {
				new TransactionTemplate(new JdbcTransactionManager(dataSource))
					.executeWithoutResult((status) -> new ResourceDatabasePopulator(
							new ClassPathResource("io/ojs/jdbc/migration/postgresql/%s.sql".formatted(name)))
						.execute(dataSource));
			}
			for (String statement : before.substring(0, before.indexOf("```")).split(";\\s*")) {
				jdbc.execute(statement);
			}
			List<String> built = jdbc.queryForList(indexes, String.class);
			new StoreSchema(of(database)).migrate();
			assertThat(built).containsAll(jdbc.queryForList(indexes, String.class));
			new StoreSchema(of(other)).migrate();
			String definitions = "select indexdef from pg_indexes where schemaname = 'public' order by indexdef";
			assertThat(jdbc.queryForList(definitions, String.class))
				.isEqualTo(new JdbcTemplate(of(other)).queryForList(definitions, String.class));
		}
	}

	@Test
	void aMigrationThatFailsLeavesNothingBehind() {
		try (var database = PostgresServer.shared().newDatabase()) {
			JdbcTemplate jdbc = new JdbcTemplate(of(database));
			jdbc.execute("create view ojs_webhook as select 1 as id");
			assertThatExceptionOfType(StoreException.class).isThrownBy(new StoreSchema(of(database))::migrate)
				.withMessageContaining("ojs_webhook");
			assertThat(jdbc.queryForObject("select to_regclass('ojs_job')", String.class)).isNull();
			jdbc.execute("drop view ojs_webhook");
			new StoreSchema(of(database)).migrate();
			assertThat(new StoreSchema(of(database)).missing()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void flywayMigratesEmptyTablesAndThoseThatAreThere(boolean there) {
		try (var database = PostgresServer.shared().newDatabase()) {
			if (there) {
				baseline(of(database));
			}
			Flyway.configure()
				.dataSource(of(database))
				.locations("classpath:io/ojs/jdbc/migration/postgresql")
				.table("ojs_flyway")
				.baselineOnMigrate(true)
				.baselineVersion("0")
				.load()
				.migrate();
			assertThat(new StoreSchema(of(database)).missing()).isEmpty();
			assertThat(new JdbcJobStore(database(of(database))).list(JobQuery.first(1))).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "postgresql", "h2" })
	void eachMigrationIsListedAndRecordsItself(String database) throws IOException {
		Path folder = Path.of("src/main/resources/io/ojs/jdbc/migration", database);
		try (Stream<Path> files = Files.list(folder)) {
			assertThat(files.map((file) -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(
					StoreSchema.MIGRATIONS.stream().map((name) -> name + ".sql").toList());
		}
		for (int i = 0; i < StoreSchema.MIGRATIONS.size(); i++) {
			String name = StoreSchema.MIGRATIONS.get(i);
			assertThat(name).startsWith("V%d__".formatted(i + 1));
			assertThat(Files.readString(folder.resolve(name + ".sql")))
				.contains("(%d, '%s'".formatted(i + 1, name.replaceFirst("V\\d+__", "")));
		}
	}

	private static DataSource of(PostgresDatabase database) {
		return new DriverManagerDataSource(database.url(), database.username(), database.password());
	}

	private static void assertOfAnotherVersion(ThrowingCallable call) {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call)
			.withMessageContaining("are those of another version")
			.withMessageContaining("ojs.store.initialize-schema=always")
			.withMessageContaining("drop all whose names begin with ojs_");
	}

	private static StoreDatabase database(DataSource dataSource) {
		return new StoreDatabase(dataSource, new JdbcTransactionManager(dataSource), new StoreOptions(
				new JsonJobCodec(), Clock.systemUTC(), "ojs://test", (queue) -> RETENTION, UnaryOperator.identity()));
	}

	/** A connection that says that it leads to something else. */
	private static Connection named(Connection connection, String product) {
		ClassLoader loader = StoreSchemaTests.class.getClassLoader();
		DatabaseMetaData metaData = (DatabaseMetaData) Proxy.newProxyInstance(loader,
				new Class<?>[] { DatabaseMetaData.class }, (proxy, method, args) -> product);
		return (Connection) Proxy.newProxyInstance(loader, new Class<?>[] { Connection.class }, (proxy, method,
				args) -> method.getName().equals("getMetaData") ? metaData : method.invoke(connection, args));
	}

}
