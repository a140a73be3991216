/**
 * The gallery over HTTP, with a real broker behind it.
 */
@NullMarked
package io.ojs.sample;

import org.jspecify.annotations.NullMarked;
