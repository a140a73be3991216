package io.ojs.benchmark.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/** How all plots look. */
final class PlotStyle {

	static final BasicStroke LINE = new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

	private static final Color TEXT = new Color(0x24292f);

	private static final Color GRID = new Color(0xafb8c1);

	/** Of JVM, broker and database; of ways of enqueueing. */
	private static final int ROWS = 3;

	/** Told apart by most people who do not see all colours. */
	private static final List<Color> COLORS = List.of(new Color(0x0969da), new Color(0xd4581a), new Color(0x57606a),
			new Color(0x1a7f37), new Color(0x8fbf3f), new Color(0x8250df), new Color(0xbf3989), new Color(0xb08800),
			new Color(0x2aa198), new Color(0x6cb6ff), new Color(0xa40e26), new Color(0x8c6d46), new Color(0x1f2a60),
			new Color(0xe0a0c0), new Color(0x3b8686), new Color(0x000000));

	private PlotStyle() {
	}

	static Color color(int index) {
		return COLORS.get(index % COLORS.size());
	}

	static LogAxis logarithmic(String title) {
		LogAxis axis = new Decades(title);
		axis.setTickUnit(new NumberTickUnit(1));
		return axis;
	}

	private static DecimalFormat format(String pattern) {
		return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
	}

	static void bars(JFreeChart chart, boolean stacked) {
		BarRenderer renderer = (BarRenderer) chart.getCategoryPlot().getRenderer();
		renderer.setBarPainter(new StandardBarPainter());
		renderer.setShadowVisible(false);
		renderer.setItemMargin(0.05);
		for (int i = 0; i < ROWS; i++) {
			renderer.setSeriesPaint(i, color(i));
		}
		chart.getCategoryPlot().setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
		chart.getCategoryPlot().getDomainAxis().setCategoryMargin(stacked ? 0.35 : 0.2);
		chart.getCategoryPlot().getDomainAxis().setMaximumCategoryLabelWidthRatio(0.6f);
		((NumberAxis) chart.getCategoryPlot().getRangeAxis()).setNumberFormatOverride(format("#,##0.##"));
		apply(chart);
	}

	static void apply(JFreeChart chart) {
		chart.setBackgroundPaint(Color.WHITE);
		chart.setPadding(new RectangleInsets(8, 8, 8, 20));
		chart.getTitle().setFont(font(Font.BOLD, 16));
		chart.getTitle().setPaint(TEXT);
		chart.getLegend().setItemFont(font(Font.PLAIN, 12));
		chart.getLegend().setItemPaint(TEXT);
		chart.getLegend().setBorder(0, 0, 0, 0);
		Plot plot = chart.getPlot();
		plot.setBackgroundPaint(Color.WHITE);
		plot.setOutlineVisible(false);
		if (plot instanceof CategoryPlot categories) {
			categories.setRangeGridlinePaint(GRID);
			axis(categories.getDomainAxis());
			axis(categories.getRangeAxis());
		}
		if (plot instanceof XYPlot lines) {
			lines.setRangeGridlinePaint(GRID);
			lines.setDomainGridlinePaint(GRID);
			axis(lines.getDomainAxis());
			axis(lines.getRangeAxis());
		}
	}

	private static void axis(Axis axis) {
		axis.setLabelFont(font(Font.PLAIN, 13));
		axis.setLabelPaint(TEXT);
		axis.setTickLabelFont(font(Font.PLAIN, 12));
		axis.setTickLabelPaint(TEXT);
		axis.setAxisLinePaint(GRID);
	}

	private static Font font(int style, int size) {
		return new Font(Font.SANS_SERIF, style, size);
	}

	/**
	 * Its labels are words in the image; those of the axis that it is made of are drawn.
	 */
	private static final class Decades extends LogAxis {

		private static final long serialVersionUID = 1L;

		Decades(String title) {
			super(title);
		}

		@Override
		public List<?> refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
			List<ValueTick> ticks = new ArrayList<>();
			for (Object each : super.refreshTicks(graphics, state, area, edge)) {
				ValueTick tick = (ValueTick) each;
				String label = (tick.getTickType() == TickType.MAJOR) ? format("#,##0.###").format(tick.getValue())
						: "";
				ticks.add(new NumberTick(tick.getTickType(), tick.getValue(), label, tick.getTextAnchor(),
						tick.getRotationAnchor(), tick.getAngle()));
			}
			return ticks;
		}

	}

}
