package io.ojs.test.internal.browser;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Chromium for the tests of a class. After each test it fails if a page has logged an
 * error, has violated its Content-Security-Policy or has called another host.
 */
public final class Browser
		implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

	/** The folder with the driver of Google Chrome, as on GitHub's machines. */
	private static final String CHROME = System.getenv("CHROMEWEBDRIVER");

	private static final Path CHROMIUM = Path
		.of(System.getProperty("ojs.test.chromium", (CHROME != null) ? "/usr/bin/google-chrome" : "/usr/bin/chromium"));

	private static final Path DRIVER = Path
		.of(System.getProperty("webdriver.chrome.driver", ((CHROME != null) ? CHROME : "/usr/bin") + "/chromedriver"));

	/** A busy machine draws a page in seconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/**
	 * Pages ask for what an application may not have, and then do without. The login page
	 * of Spring Security has no icon.
	 */
	private static final Pattern NOT_THERE = Pattern
		.compile("(/ojs/v1/\\S+|/favicon.ico) - Failed to load resource.* 404 .*");

	/** It warns of each Chromium whose debugging protocol it has no classes for. */
	private static final Logger LOG_OF_SELENIUM = Logger.getLogger("org.openqa.selenium");

	private static final String LOGIN_FORM = "input[name=username]";

	private static final String SPILLING = """
			const isClipped = (each, cell) => {
				let parent = each;
				while (parent !== cell && getComputedStyle(parent).overflowX === 'visible') {
					parent = parent.parentElement;
				}
				return parent !== cell;
			};
			return [...document.querySelectorAll('td *')].filter((each) => {
				const cell = each.closest('td');
				const inner = each.getBoundingClientRect();
				const outer = cell.getBoundingClientRect();
				return inner.width > 0 && (inner.right > outer.right + 1 || inner.left < outer.left - 1)
					&& !isClipped(each, cell);
			}).map((each) => each.closest('td').dataset.label + ': ' + each.outerHTML.slice(0, 80))""";

	private static final String LOADED = """
			return document.readyState === 'complete' && document.querySelector('main h1') !== null
				&& document.querySelector('.skeleton') === null""";

	private static final String FOLLOW = """
			const link = document.body.appendChild(document.createElement('a'));
			link.href = arguments[0];
			link.click();
			link.remove();""";

	private static final String CALL = """
			const [method, path, body, done] = arguments;
			const token = document.cookie.match(/XSRF-TOKEN=([^;]+)/)?.[1] ?? '';
			fetch(new URL('../' + path, document.baseURI), {method, body,
				headers: {'Content-Type': 'application/json', 'X-XSRF-TOKEN': token}})
				.then((answer) => done(answer.status), () => done(0))""";

	private static final String READ = """
			const [path, done] = arguments;
			fetch(new URL('../' + path, document.baseURI)).then((answer) => answer.text()).then(done)""";

	private static final String AXE = """
			const done = arguments[arguments.length - 1];
			axe.run(document, {resultTypes: ['violations']}).then((result) => done(result.violations
				.filter((each) => ['serious', 'critical'].includes(each.impact))
				.map((each) => each.id + ': ' + each.help + ': ' + each.nodes.slice(0, 3)
					.map((node) => node.html.slice(0, 200) + ' ' + (node.any[0]?.message ?? '')).join(' | '))),
				(failure) => done([String(failure)]))""";

	private final JsonMapper json = new JsonMapper();

	private ChromeDriver driver;

	/** Who has logged in where. */
	private String session;

	private boolean expectsFailures;

	private boolean expectsMissingFiles;

	/** Browsers take most of the time of a build that tries all: see {@link Part}. */
	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String method = context.getTestMethod().map(Method::getName).orElse("");
		// Of a parameterized test, each of its rows is asked for.
		boolean isOne = !method.isEmpty() && (context.getRequiredTestMethod().getParameterCount() == 0
				|| !context.getDisplayName().startsWith(method));
		return (!isOne || Part.has(method + context.getDisplayName()))
				? ConditionEvaluationResult.enabled("in this part")
				: ConditionEvaluationResult.disabled("builds with the next number of -Dojs.test.part run it");
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
			throw new IllegalStateException(
					("The tests of the dashboard drive a real browser, and %s or %s is missing. "
							+ "On Debian, src/scripts/verify installs both: apt-get install chromium chromium-driver. "
							+ "With Google Chrome, set CHROMEWEBDRIVER to the folder of its chromedriver. "
							+ "Other paths: -Dojs.test.chromium=… -Dwebdriver.chrome.driver=…")
						.formatted(CHROMIUM, DRIVER));
		}
		LOG_OF_SELENIUM.setLevel(Level.SEVERE);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(CHROMIUM.toFile());
		options.addArguments("--headless=new", "--disable-gpu", "--disable-gpu-rasterization",
				"--disable-gpu-compositing", "--force-prefers-reduced-motion", "--disable-dev-shm-usage",
				"--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-component-update",
				"--window-size=1440,1000");
		if ("root".equals(System.getProperty("user.name"))) {
			options.addArguments("--no-sandbox"); // Chromium refuses to start otherwise.
		}
		options.setExperimentalOption("prefs",
				Map.of("credentials_enable_service", false, "profile.password_manager_leak_detection", false));
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		logs.enable(LogType.PERFORMANCE, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		File executable = DRIVER.toFile();
		this.driver = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(executable).usingAnyFreePort().build(),
				options);
		this.driver.manage().timeouts().scriptTimeout(PATIENCE);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.expectsFailures = false;
		this.expectsMissingFiles = false;
		look(1440, "light");
	}

	@Override
	public void afterEach(ExtensionContext context) throws IOException {
		if (context.getExecutionException().isPresent()) {
			photograph(
					context.getRequiredTestClass().getSimpleName() + "." + context.getRequiredTestMethod().getName());
		}
		List<String> problems = problems();
		this.driver.get("about:blank");
		assertThat(problems).isEmpty();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (this.driver != null) {
			this.driver.quit();
		}
	}

	/** The test makes the server fail: pages may log that a request failed. */
	public void expectFailures() {
		this.expectsFailures = true;
	}

	/** The files of the page go away: it may log that it cannot load one. */
	public void expectMissingFiles() {
		this.expectsMissingFiles = true;
	}

	/** Sizes the page, and chooses a color scheme. */
	public void look(int width, String scheme) {
		look(width, 1000, scheme);
	}

	/** Sizes the page, and chooses a color scheme. */
	public void look(int width, int height, String scheme) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	/** Shows times in a zone from now on. */
	public void liveIn(String zone) {
		this.driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
	}

	/** Opens the dashboard as a user of the application, who logs in. */
	public void logIn(String base, String user) {
		beginSession(base, user);
		await("the dashboard after the login").until(() -> location().contains("/ojs/ui/") && isLoaded());
	}

	/** As a user whom the dashboard refuses. */
	public void logInExpecting(String base, String user, String text) {
		beginSession(base, user);
		awaitText(text);
	}

	/** Tests of one user share a session: most of what a test costs is to log in. */
	private void beginSession(String base, String user) {
		this.driver.executeCdpCommand("Storage.clearDataForOrigin",
				Map.of("origin", URI.create(base).resolve("/").toString(), "storageTypes", "local_storage"));
		String wanted = user + " at " + base;
		if (!wanted.equals(this.session)) {
			this.driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
			this.session = wanted;
		}
		this.driver.get(base + "/ojs/ui/");
		if (exists(LOGIN_FORM)) {
			enterPassword(user);
		}
	}

	/** Fills in the form of Spring Security. */
	public void enterPassword(String user) {
		await("a login form").until(() -> exists(LOGIN_FORM));
		find(LOGIN_FORM).sendKeys(user);
		find("input[name=password]").sendKeys("secret");
		find("button[type=submit]").click();
	}

	/** Loses the session, as if it had expired. */
	public void forgetSession() {
		this.driver.manage().deleteAllCookies();
	}

	/** Does something in a tab of its own, while the page stays open. */
	public void inAnotherTab(Runnable action) {
		inAnother(WindowType.TAB, action);
	}

	/** The same in a window, beside which the page stays visible. */
	public void inAnotherWindow(Runnable action) {
		inAnother(WindowType.WINDOW, action);
	}

	private void inAnother(WindowType type, Runnable action) {
		String page = this.driver.getWindowHandle();
		this.driver.switchTo().newWindow(type);
		try {
			action.run();
		}
		finally {
			this.driver.close();
			this.driver.switchTo().window(page);
		}
	}

	/** Calls the API as the page does, and returns the status. */
	public long call(String method, String path, String body) {
		return ((Number) runAsync(CALL, method, path, body)).longValue();
	}

	/** What the API answers the user of the page. */
	public JsonNode read(String path) {
		return this.json.readTree((String) runAsync(READ, path));
	}

	/**
	 * Does something while the files whose addresses end with a text cannot be loaded.
	 */
	public void without(String file, Runnable action) {
		this.driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of("*" + file)));
		try {
			action.run();
		}
		finally {
			this.driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of()));
		}
	}

	/**
	 * Opens a page of the dashboard, such as {@code job?id=…}, and waits until it is
	 * loaded. From a page of the dashboard it goes there as by a link, which costs less
	 * than to load all files.
	 */
	public void open(String base, String page) {
		String pages = base + "/ojs/ui/";
		if (location().startsWith(pages) && isLoaded()) {
			run(FOLLOW, pages + page);
			awaitLoaded();
		}
		else {
			load(base, page);
		}
	}

	/** Opens a page of the dashboard by its address, with all of its files. */
	public void load(String base, String page) {
		this.driver.get(base + "/ojs/ui/" + page);
		awaitLoaded();
	}

	/** Opens any address. */
	public void visit(String address) {
		this.driver.get(address);
	}

	public void awaitLoaded() {
		await("a loaded page at " + location()).until(this::isLoaded);
	}

	private boolean isLoaded() {
		return Boolean.TRUE.equals(run(LOADED));
	}

	public String location() {
		return this.driver.getCurrentUrl();
	}

	/** The text of the page, as it is read. */
	public String text() {
		return normalized((String) run("return document.body.textContent"));
	}

	/** The text of the first element, or of none. */
	public String text(String selector) {
		return normalized((String) run("return document.querySelector(arguments[0])?.textContent ?? ''", selector));
	}

	/** The text of all elements. */
	public List<String> texts(String selector) {
		return ((List<?>) run("return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)",
				selector))
			.stream()
			.map((each) -> normalized((String) each))
			.toList();
	}

	/** What buttons and links are called: some have an icon alone. */
	public List<String> names(String selector) {
		return ((List<?>) run("return [...document.querySelectorAll(arguments[0])]"
				+ ".map((each) => each.getAttribute('aria-label') ?? each.textContent)", selector))
			.stream()
			.map((each) -> normalized((String) each))
			.toList();
	}

	/** The absolute addresses of links. */
	public List<String> hrefs(String selector) {
		return ((List<?>) run("return [...document.querySelectorAll(arguments[0])].map((each) => each.href)", selector))
			.stream()
			.map(String.class::cast)
			.toList();
	}

	public String source() {
		return (String) run("return document.documentElement.outerHTML");
	}

	private static String normalized(String text) {
		return text.replaceAll("\\s+", " ").strip();
	}

	public boolean exists(String selector) {
		return !this.driver.findElements(By.cssSelector(selector)).isEmpty();
	}

	public WebElement find(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	/** Clicks a link, again if it has moved meanwhile. */
	public void follow(String selector) {
		String page = location();
		await("another page by " + selector).until(() -> {
			find(selector).click();
			return !location().equals(page);
		});
	}

	/** Clicks the element that has a text, as soon as it is there. */
	public void click(String selector, String text) {
		await(text + " in " + selector).untilAsserted(() -> this.driver.findElements(By.cssSelector(selector))
			.stream()
			.filter((each) -> normalized(each.getText()).equals(text))
			.findFirst()
			.orElseThrow()
			.click());
	}

	public void awaitElement(String selector) {
		await(selector).until(() -> exists(selector));
	}

	public void awaitText(String text) {
		await("the text \"" + text + "\"").untilAsserted(() -> assertThat(text()).contains(text));
	}

	public void awaitText(String selector, String text) {
		await("the text \"" + text + "\" in " + selector)
			.untilAsserted(() -> assertThat(text(selector)).contains(text));
	}

	public static ConditionFactory await(String what) {
		return Awaitility.await(what)
			.atMost(PATIENCE)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(100))
			.ignoreExceptions();
	}

	/** Presses keys, wherever the focus is. */
	public void press(CharSequence... keys) {
		for (CharSequence key : keys) {
			new Actions(this.driver).sendKeys(key).perform();
		}
	}

	/** Runs a script in the page. */
	public Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/** Runs a script that calls its last argument with a result. */
	public Object runAsync(String script, Object... arguments) {
		return this.driver.executeAsyncScript(script, arguments);
	}

	/** What the page keeps after a garbage collection. */
	public Memory memory() {
		this.driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
		Map<String, Object> heap = this.driver.executeCdpCommand("Runtime.getHeapUsage", Map.of());
		Map<String, Object> dom = this.driver.executeCdpCommand("Memory.getDOMCounters", Map.of());
		return new Memory(((Number) heap.get("usedSize")).longValue(), ((Number) dom.get("nodes")).longValue(),
				((Number) dom.get("jsEventListeners")).longValue());
	}

	/** How many pixels the page is wider than the window. */
	public long overflow() {
		return ((Number) run("return document.documentElement.scrollWidth - innerWidth")).longValue();
	}

	/** What sticks out of its cell of a table. */
	public List<?> spilling() {
		return (List<?>) run(SPILLING);
	}

	/** Moves the pointer onto an element. */
	public void pointAt(String selector) {
		new Actions(this.driver).moveToElement(find(selector)).perform();
	}

	/** What axe finds serious or critical. */
	public List<?> barriers() {
		if (Boolean.FALSE.equals(run("return 'axe' in window"))) {
			run(resource("axe-core/axe.min.js"));
		}
		return (List<?>) runAsync(AXE);
	}

	/**
	 * What is wrong with the page: parts that are wider than the window or their cell,
	 * and what axe finds.
	 */
	public List<String> flaws(Look look) {
		look(look.width(), look.height(), look.scheme());
		List<String> flaws = new ArrayList<>();
		if (overflow() > 0) {
			flaws.add(overflow() + " px too wide");
		}
		spilling().forEach((spilling) -> flaws.add("out of its cell: " + spilling));
		flaws.addAll(barriers().stream().map(String::valueOf).toList());
		return flaws;
	}

	private static String resource(String name) {
		try (var stream = Browser.class.getResourceAsStream(name)) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What pages have logged, and which other hosts they have called, since the last
	 * call.
	 */
	public List<String> problems() {
		List<String> problems = new ArrayList<>();
		for (LogEntry entry : this.driver.manage().logs().get(LogType.BROWSER)) {
			if (entry.getLevel().intValue() >= Level.SEVERE.intValue() && !isExpected(entry.getMessage())) {
				problems.add(entry.getMessage());
			}
		}
		for (LogEntry entry : this.driver.manage().logs().get(LogType.PERFORMANCE)) {
			JsonNode message = this.json.readTree(entry.getMessage()).path("message");
			if (message.path("method").asString("").equals("Network.requestWillBeSent")) {
				String url = message.path("params").path("request").path("url").asString("");
				if (url.startsWith("http") && !List.of("localhost", "127.0.0.1").contains(URI.create(url).getHost())) {
					problems.add("The page called " + url);
				}
			}
		}
		return problems;
	}

	private boolean isExpected(String message) {
		return NOT_THERE.matcher(message).find()
				|| (this.expectsFailures
						&& (message.contains("Failed to load resource") || message.contains("net::ERR_")))
				|| (this.expectsMissingFiles && message.contains("Failed to fetch dynamically imported module"));
	}

	private void photograph(String name) throws IOException {
		Path file = Path.of("target", "dashboard", name.replaceAll("[^\\w-]+", "_") + ".png");
		Files.createDirectories(file.getParent());
		Files.write(file, screenshot());
	}

	/** The visible part of the page, as PNG. */
	public byte[] screenshot() {
		return this.driver.getScreenshotAs(OutputType.BYTES);
	}

	/**
	 * How a page is looked at.
	 */
	public enum Look {

		/** On a desk. */
		WIDE(1440, 1000, "light"),

		/** The same by night. Colors are the same at all widths. */
		DARK(1440, 1000, "dark"),

		/** On a phone. */
		NARROW(420, 1000, "light"),

		/** A window of 1280 by 1024 px at a zoom of 400 %. */
		ZOOMED(320, 256, "light");

		private final int width;

		private final int height;

		private final String scheme;

		Look(int width, int height, String scheme) {
			this.width = width;
			this.height = height;
			this.scheme = scheme;
		}

		int width() {
			return this.width;
		}

		int height() {
			return this.height;
		}

		String scheme() {
			return this.scheme;
		}

		/**
		 * The one in which this build looks at a page.
		 * @param page identifies the page
		 */
		public static List<Look> at(String page) {
			return Part.of(List.of(values()), page, values().length);
		}

	}

	/**
	 * What a page keeps.
	 *
	 * @param bytes the JavaScript heap in use
	 * @param nodes DOM nodes, also those that are in no document
	 * @param listeners event listeners
	 */
	public record Memory(long bytes, long nodes, long listeners) {
	}

}
