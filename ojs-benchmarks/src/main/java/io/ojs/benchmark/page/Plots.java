package io.ojs.benchmark.page;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * The pictures of the page. A light ground of their own makes them readable on a dark one
 * too.
 */
final class Plots {

	private static final List<String> PERCENTILES = List.of("p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9",
			"p100");

	private static final int WIDTH = 860;

	private final Measurements measurements;

	private final Path folder;

	private Plots(Measurements measurements, Path folder) {
		this.measurements = measurements;
		this.folder = folder;
	}

	static void write(Measurements measurements, Path folder) throws IOException {
		Plots plots = new Plots(measurements, folder);
		plots.throughput();
		plots.cost();
		plots.latency();
		plots.backlog("backlog", "Drain of a backlog", "rate", "jobs a second");
		plots.backlog("backlog-cost", "Cost of a drain", "cpu.all", "CPU s for 10,000 jobs, all processes");
	}

	/** The same one in each plot. */
	private Color color(Comparable<?> title) {
		return PlotStyle.color(this.measurements.contenders().stream().map(Titles::of).toList().indexOf(title));
	}

	private void throughput() throws IOException {
		DefaultCategoryDataset data = new DefaultCategoryDataset();
		for (String contender : this.measurements.contenders()) {
			add(data, this.measurements.series("bulk", contender, "rate"), "in bulk", contender);
			add(data, this.measurements.series("threads", contender, "rate"), "16 threads, one by one", contender);
			add(data, this.measurements.series("single", contender, "rate"), "one by one", contender);
		}
		JFreeChart chart = ChartFactory.createBarChart("Throughput, enqueued to worked", "", "jobs a second", data,
				PlotOrientation.HORIZONTAL, true, false, false);
		PlotStyle.bars(chart, false);
		Svg.write(chart, WIDTH, 120 + 48 * Math.max(1, data.getColumnCount()), this.folder.resolve("throughput.svg"));
	}

	private void cost() throws IOException {
		DefaultCategoryDataset data = new DefaultCategoryDataset();
		for (String contender : this.measurements.contenders()) {
			String scenario = MainTables.ofCost(contender);
			add(data, this.measurements.series(scenario, contender, "cpu.jvm"), "JVM", contender);
			add(data, this.measurements.series(scenario, contender, "cpu.broker"), "broker", contender);
			add(data, this.measurements.series(scenario, contender, "cpu.database"), "database", contender);
		}
		JFreeChart chart = ChartFactory.createStackedBarChart("Cost of 10,000 jobs", "", "CPU seconds", data,
				PlotOrientation.HORIZONTAL, true, false, false);
		PlotStyle.bars(chart, true);
		Svg.write(chart, WIDTH, 120 + 30 * Math.max(1, data.getColumnCount()), this.folder.resolve("cost.svg"));
	}

	private static void add(DefaultCategoryDataset data, Series series, String row, String contender) {
		if (!series.isEmpty()) {
			data.addValue(series.median(), row, Titles.of(contender));
		}
	}

	private void latency() throws IOException {
		DefaultCategoryDataset data = new DefaultCategoryDataset();
		for (String contender : this.measurements.contenders()) {
			for (String percentile : PERCENTILES) {
				Series series = this.measurements.series("latency", contender, percentile);
				if (!series.isEmpty()) {
					data.addValue(series.median(), Titles.of(contender),
							percentile.equals("p100") ? "max" : percentile.substring(1));
				}
			}
		}
		JFreeChart chart = ChartFactory.createLineChart("Latency at 200 jobs a second", "percentile",
				"ms from enqueue to handler", data, PlotOrientation.VERTICAL, true, false, false);
		CategoryPlot plot = chart.getCategoryPlot();
		plot.setRangeAxis(PlotStyle.logarithmic("ms from enqueue to handler"));
		LineAndShapeRenderer renderer = new LineAndShapeRenderer();
		plot.setRenderer(renderer);
		for (int i = 0; i < data.getRowCount(); i++) {
			renderer.setSeriesStroke(i, PlotStyle.LINE);
			renderer.setSeriesPaint(i, color(data.getRowKey(i)));
		}
		PlotStyle.apply(chart);
		Svg.write(chart, WIDTH, 520, this.folder.resolve("latency.svg"));
	}

	private void backlog(String name, String title, String figure, String unit) throws IOException {
		XYSeriesCollection data = new XYSeriesCollection();
		for (String contender : this.measurements.contenders()) {
			XYSeries line = new XYSeries(Titles.of(contender));
			for (int backlog : this.measurements.backlogs()) {
				Series series = this.measurements.drain(contender, backlog, figure);
				if (!series.isEmpty()) {
					line.add(backlog, series.median());
				}
			}
			if (!line.isEmpty()) {
				data.addSeries(line);
			}
		}
		JFreeChart chart = ChartFactory.createXYLineChart(title, "jobs that wait", unit, data, PlotOrientation.VERTICAL,
				true, false, false);
		XYPlot plot = chart.getXYPlot();
		plot.setDomainAxis(PlotStyle.logarithmic("jobs that wait"));
		((NumberAxis) plot.getRangeAxis()).setAutoRangeIncludesZero(true);
		XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
		plot.setRenderer(renderer);
		for (int i = 0; i < data.getSeriesCount(); i++) {
			renderer.setSeriesStroke(i, PlotStyle.LINE);
			renderer.setSeriesPaint(i, color(data.getSeriesKey(i)));
		}
		PlotStyle.apply(chart);
		Svg.write(chart, WIDTH, 460, this.folder.resolve(name + ".svg"));
	}

}
