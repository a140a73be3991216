/**
 * The endpoints of the OJS HTTP binding, by what they are about.
 */
@NullMarked
package io.ojs.web.endpoint;

import org.jspecify.annotations.NullMarked;
