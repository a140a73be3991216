/**
 * A photo gallery whose jobs make thumbnails and other renditions, with a page that shows
 * the jobs.
 */
@NullMarked
package io.ojs.sample;

import org.jspecify.annotations.NullMarked;
