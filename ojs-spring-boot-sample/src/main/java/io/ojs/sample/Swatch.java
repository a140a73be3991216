package io.ojs.sample;

/**
 * A main colour of a photo.
 *
 * @param hex the colour, such as {@code #1d2350}
 * @param share the part of the photo that has about this colour, 0.0 to 1.0
 */
record Swatch(String hex, double share) {
}
