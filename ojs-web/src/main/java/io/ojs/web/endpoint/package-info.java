/**
 * The endpoints of the OJS HTTP binding, by topic.
 */
@NullMarked
package io.ojs.web.endpoint;

import org.jspecify.annotations.NullMarked;
