package io.ojs.sample;

/**
 * A colour that a photo has much of.
 *
 * @param hex the colour, such as {@code #1d2350}
 * @param share how much of the photo is about this colour, 0.0 to 1.0
 */
record Swatch(String hex, double share) {
}
