/**
 * From measurements to the page that tells of them.
 */
@NullMarked
package io.ojs.benchmark.page;

import org.jspecify.annotations.NullMarked;
