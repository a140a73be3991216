/**
 * A real browser that looks at pages. Begin at
 * {@link io.ojs.test.internal.browser.Browser}.
 */
@NullMarked
package io.ojs.test.internal.browser;

import org.jspecify.annotations.NullMarked;
