/**
 * A photo gallery: photos in, thumbnails out, and a page that shows how.
 */
@NullMarked
package io.ojs.sample;

import org.jspecify.annotations.NullMarked;
