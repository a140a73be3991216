package io.ojs.benchmark.page;

import java.awt.Dimension;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.text.TextUtils;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A chart as SVG, with its words as words. */
final class Svg {

	private Svg() {
	}

	static void write(JFreeChart chart, int width, int height, Path file) throws IOException {
		// Words that stand upright would be drawn otherwise.
		TextUtils.setUseDrawRotatedStringWorkaround(false);
		SVGGraphics2D graphics = new SVGGraphics2D(document());
		graphics.setSVGCanvasSize(new Dimension(width, height));
		chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height));
		Element root = graphics.getRoot();
		root.setAttribute("viewBox", "0 0 %d %d".formatted(width, height));
		try (Writer writer = Files.newBufferedWriter(file)) {
			graphics.stream(root, writer, true, false);
		}
	}

	private static Document document() {
		try {
			return DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.getDOMImplementation()
				.createDocument("http://www.w3.org/2000/svg", "svg", null);
		}
		catch (ParserConfigurationException ex) {
			throw new IllegalStateException("This Java writes no XML", ex);
		}
	}

}
