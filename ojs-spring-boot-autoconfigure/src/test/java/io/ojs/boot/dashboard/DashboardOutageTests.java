package io.ojs.boot.dashboard;

import io.ojs.test.internal.browser.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.ojs.boot.it.StoreDatabases;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * While broker, database, network, session or application are gone, an open page keeps
 * its last data, says how old it is and what is wrong, and goes on without a reload when
 * they are back.
 */
@Tag("broker")
@Tag("faults")
@TestInstance(Lifecycle.PER_CLASS)
class DashboardOutageTests {

	private static final String UNREACHABLE = "The database cannot be reached, or failed. Try again.";

	@RegisterExtension
	final Browser browser = new Browser();

	private final VirtualHost virtualHost = RabbitBroker.shared().newVirtualHost();

	private final PostgresDatabase database = StoreDatabases.create();

	private final FaultProxy toBroker = FaultProxy.to(RabbitBroker.shared());

	private final FaultProxy toDatabase = FaultProxy.to(PostgresServer.shared());

	private FaultProxy toApplication;

	private OperatedApplication application;

	private Shop.Jobs jobs;

	@BeforeAll
	void start() {
		this.application = starter(0).start();
		this.jobs = Shop.fill(this.application);
		this.toApplication = FaultProxy
			.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.application.port()));
	}

	private OperatedApplication.Starter starter(int port) {
		PostgresServer server = PostgresServer.shared();
		String url = this.database.url()
			.replace(server.host() + ":" + server.port(), this.toDatabase.host() + ":" + this.toDatabase.port());
		return OperatedApplication
			.on(this.toBroker.uri(this.virtualHost), url, this.database.username(), this.database.password())
			.with(Shop.class)
			.property("server.port", port)
			.property("spring.datasource.hikari.connection-timeout", 1_000);
	}

	@BeforeEach
	void openAPage() {
		this.browser.expectFailures();
		this.browser.logIn(this.application.uri(), "admin");
	}

	@AfterEach
	void endOutage() {
		this.toBroker.accept();
		this.toDatabase.accept();
		this.toApplication.accept();
	}

	@AfterAll
	void stop() {
		this.application.close();
		this.toApplication.close();
		this.toBroker.close();
		this.toDatabase.close();
		this.database.close();
		this.virtualHost.close();
	}

	List<Arguments> pages() {
		return this.jobs.pages();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void database(String page, String text) {
		openAndMark(page, text);
		this.browser.awaitText(".connection", "Live");
		this.toDatabase.refuse();
		this.toDatabase.reset();
		boolean ofTheBroker = page.equals("broker");
		if (!ofTheBroker) {
			this.browser.awaitText(".banner", UNREACHABLE + " What you see is from");
			this.browser.awaitText(".connection", "Not current");
			assertThat(this.browser.text("main")).contains(text);
		}
		this.browser.open(this.application.uri(), "nothing");
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText(ofTheBroker ? "main" : ".notice", ofTheBroker ? text : UNREACHABLE);
		assertThat(this.browser.exists(".notice")).isNotEqualTo(ofTheBroker);
		this.toDatabase.accept();
		this.browser.awaitText("main", text);
		awaitCurrent();
	}

	@Test
	void broker() {
		openAndMark("job?id=" + this.jobs.sent(), "mail.send");
		this.toBroker.refuse();
		this.toBroker.reset();
		this.browser.press("g", "b");
		this.browser.awaitText("main h1", "Broker");
		Browser.await("the failure").untilAsserted(() -> {
			this.browser.press("r");
			assertThat(this.browser.text("main")).contains("not connected");
		});
		this.browser.press("g", "j");
		this.browser.awaitText("tbody", "mail.send");
		this.browser.press("g", "q");
		this.browser.awaitText("tbody", "parcels");
		this.browser.press("g", "o");
		this.browser.awaitText(".attention", "RabbitMQ does not answer");
		assertThat(this.browser.exists(".banner")).as("what the database knows is current").isFalse();
		this.toBroker.accept();
		this.browser.press("g", "b");
		Browser.await("the connection").untilAsserted(() -> {
			this.browser.press("r");
			assertThat(this.browser.text("main")).contains("open").doesNotContain("not connected");
		});
		awaitCurrent();
	}

	@Test
	void session() {
		openAndMark("queue?name=email", "email");
		this.browser.forgetSession();
		this.browser.press("r");
		this.browser.awaitText(".banner", "Your session has ended.");
		this.browser.awaitText(".banner", "Sign in");
		assertThat(this.browser.text("main")).contains("email", "What you see is from");
		logInInAnotherTab();
		awaitCurrent();
		// The page has the token of a session that is gone.
		this.browser.press("p");
		this.browser.awaitText("dialog", "Pause email?");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText(".toasts", "email is paused");
		assertThat(this.browser.call("POST", "v1/queues/email/resume", "{}")).isEqualTo(200);
	}

	@Test
	void stream() {
		this.browser.visit("http://localhost:" + this.toApplication.port() + "/shop/ojs/ui/jobs");
		this.browser.awaitText("tbody", "mail.send");
		this.browser.awaitText(".connection", "Live");
		mark();
		this.toApplication.refuse();
		this.toApplication.reset();
		this.browser.awaitText(".banner", "The application does not answer. What you see is from");
		assertThat(this.browser.text("tbody")).contains("mail.send");
		this.toApplication.accept();
		awaitCurrent();
		this.browser.awaitText(".connection", "Live");
		String id = this.application.ojs().enqueue("mail.send", "new@example.org").id();
		this.browser.awaitText("main", "1 new");
		assertThat(this.browser.exists("[data-key='" + id + "']")).isFalse();
		this.browser.find("button.fresh").click();
		this.browser.awaitElement("[data-key='" + id + "']");
	}

	@Test
	void restart() {
		openAndMark("jobs", "mail.send");
		int port = this.application.port();
		this.application.close();
		this.browser.press("r");
		this.browser.awaitText(".banner", "The application does not answer. What you see is from");
		this.application = starter(port).start();
		// Sessions are in memory.
		this.browser.awaitText(".banner", "Your session has ended.");
		logInInAnotherTab();
		awaitCurrent();
	}

	@Test
	void deploymentOfAnotherVersion() throws Exception {
		openAndMark("jobs", "mail.send");
		deployAnotherVersion();
		this.browser.awaitText(".banner", "The application was updated.");
		assertThat(this.browser.text("tbody")).contains("mail.send");
		assertMarked();
		this.browser.find(".banner button").click();
		Browser.await("another page").until(() -> this.browser.run("return window.marked ?? null") == null);
		this.browser.awaitLoaded();
		this.browser.awaitText("tbody", "mail.send");
		assertThat(this.browser.exists(".banner")).isFalse();
	}

	/** The files of the page that is not loaded yet are gone. */
	@Test
	void pageOpensAfterADeployment() throws Exception {
		this.browser.expectMissingFiles();
		openAndMark("jobs", "mail.send");
		deployAnotherVersion();
		this.browser.press("g", "l");
		this.browser.awaitText("main h1", "Limits");
		this.browser.awaitText("main", "printer");
		assertThat(this.browser.run("return window.marked ?? null")).as("loaded anew").isNull();
	}

	private void deployAnotherVersion() throws IOException, URISyntaxException {
		int port = this.application.port();
		this.application.close();
		addFile();
		this.application = starter(port).start();
		logInInAnotherTab();
	}

	/** The version is a hash of all files: from now on, applications have another one. */
	private static void addFile() throws IOException, URISyntaxException {
		Path classes = Path.of(DashboardOutageTests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		Path folder = Files.createDirectories(classes.resolve("io/ojs/dashboard"));
		Files.createTempFile(folder, "next", ".svg").toFile().deleteOnExit();
	}

	private void openAndMark(String page, String text) {
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText("main", text);
		mark();
	}

	/** A reload would take the mark away. */
	private void mark() {
		this.browser.run("window.marked = 1");
	}

	private void assertMarked() {
		assertThat(this.browser.run("return window.marked ?? null")).isEqualTo(1L);
	}

	private void awaitCurrent() {
		Browser.await("a page without a banner").until(() -> !this.browser.exists(".banner"));
		assertThat(this.browser.text(".connection")).doesNotContain("Not current");
		assertMarked();
	}

	private void logInInAnotherTab() {
		this.browser.inAnotherTab(() -> this.browser.logIn(this.application.uri(), "admin"));
	}

}
