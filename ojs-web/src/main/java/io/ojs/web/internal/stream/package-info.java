/**
 * The stream of changes, for pages that stay open.
 */
@NullMarked
package io.ojs.web.internal.stream;

import org.jspecify.annotations.NullMarked;
