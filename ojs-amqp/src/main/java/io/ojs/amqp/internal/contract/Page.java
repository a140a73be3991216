package io.ojs.amqp.internal.contract;

/**
 * Builds a page of Markdown. Lines end with {@code \n} on every platform.
 */
final class Page {

	private final StringBuilder text = new StringBuilder();

	Page(String title, String subtitle) {
		this.text.append("# ").append(title).append('\n');
		paragraph(subtitle);
	}

	/** Escapes characters that end a table cell or begin a tag. */
	static String escape(String cell) {
		return cell.replace("|", "\\|").replace("<", "&lt;").replace('\n', ' ');
	}

	Page section(String title) {
		this.text.append("\n## ").append(title).append("\n\n");
		return this;
	}

	Page paragraph(String paragraph) {
		if (!this.text.toString().endsWith("\n\n")) {
			this.text.append('\n');
		}
		this.text.append(paragraph).append("\n\n");
		return this;
	}

	Page line(String line) {
		this.text.append(line).append('\n');
		return this;
	}

	Page row(String... cells) {
		return line("| " + String.join(" | ", cells) + " |");
	}

	String text() {
		return this.text.toString().replaceAll("\n{3,}", "\n\n").strip() + "\n";
	}

}
